/** The metrics. ops/alerts.yml uses their names. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Meter, metrics } from '@opentelemetry/api';

/** Created at first use: an instrument of a meter that was created before telemetry started would record nothing. */
function lazily<T>(make: (meter: Meter) => T): () => T {
  let made: T | undefined;
  return () => (made ??= make(metrics.getMeter('tonearm')));
}

export const requestDuration = lazily((meter) =>
  meter.createHistogram('tonearm_http_request_duration_seconds', {
    description: 'From the first byte of a request to the last of its answer.',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
  }),
);

export const rateLimited = lazily((meter) =>
  meter.createCounter('tonearm_rate_limited', { description: 'Requests answered 429.' }),
);

export const handlerRuns = lazily((meter) =>
  meter.createCounter('tonearm_handler_runs', {
    description: 'Attempts of engine handlers, by outcome; a failed attempt is retried.',
  }),
);

export const webhookAttempts = lazily((meter) =>
  meter.createCounter('tonearm_webhook_attempts', {
    description: 'Attempts to send an event to an endpoint, by whether they succeeded.',
  }),
);

export const ownFailures = lazily((meter) =>
  meter.createCounter('tonearm_outbound_own_failures', {
    description:
      'Requests to receivers that this machine could not make, by cause; none counts as an attempt.',
  }),
);

export const pausedInvocations = lazily((meter) =>
  meter.createGauge('tonearm_engine_paused_invocations', {
    description: 'Invocations that the engine has paused; an operator must resume or kill them.',
  }),
);

export const silentCanaries = lazily((meter) =>
  meter.createGauge('tonearm_engine_silent_canaries', {
    description: 'Canaries of the last round that were not answered in time.',
  }),
);

const lagResolutionMs = 10;

/** The longest time since the last scrape in which the event loop was blocked. */
export function observeEventLoopLag(): void {
  const delay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delay.enable();
  const lag = metrics.getMeter('tonearm').createObservableGauge('tonearm_event_loop_lag_seconds', {
    description: 'The longest wait for the event loop since the last scrape.',
  });
  lag.addCallback((result) => {
    // A sample is the time between two ticks of a timer; without any delay it equals the resolution.
    result.observe(Math.max(0, delay.max / 1e9 - lagResolutionMs / 1e3));
    delay.reset();
  });
}

export const strugglingInvocations = lazily((meter) =>
  meter.createGauge('tonearm_engine_struggling_invocations', {
    description: 'Invocations that failed many times in a row and wait for a retry.',
  }),
);

export const queuedInvocations = lazily((meter) =>
  meter.createGauge('tonearm_engine_queued_invocations', {
    description: 'Invocations that wait for an earlier one with the same key.',
  }),
);

export const engineAdminUp = lazily((meter) =>
  meter.createGauge('tonearm_engine_admin_up', {
    description: "Whether the engine's admin API answered its last request: 1 or 0.",
  }),
);

export const freedInvocations = lazily((meter) =>
  meter.createCounter('tonearm_engine_freed_invocations', {
    description: 'Invocations killed because the worker they were pinned to is gone.',
  }),
);

export const limiterFallbacks = lazily((meter) =>
  meter.createCounter('tonearm_rate_limiter_fallback', {
    description: 'Requests counted in the process because Redis did not answer.',
  }),
);

export const storageFailures = lazily((meter) =>
  meter.createCounter('tonearm_storage_failures', {
    description: 'Calls to the object storage that failed because it did not answer.',
  }),
);

export const requestsNotLogged = lazily((meter) =>
  meter.createCounter('tonearm_request_log_dropped', {
    description: 'Requests that are missing in the request log, because it could not be written.',
  }),
);

export const refusedBatches = lazily((meter) =>
  meter.createGauge('tonearm_report_batches_refused', {
    description: 'Incoming batches of report files that were refused and not replaced yet.',
  }),
);

export type Backlog = { readonly outboxAgeSeconds: number; readonly unsequenced: number };

/** Read at each scrape. */
export function observeBacklog(read: () => Promise<Backlog>): void {
  const meter = metrics.getMeter('tonearm');
  const age = meter.createObservableGauge('tonearm_outbox_age_seconds', {
    description: 'How long the oldest outbox row has been waiting for the relay.',
  });
  const pending = meter.createObservableGauge('tonearm_sequencer_pending', {
    description: 'Committed events and audit rows without a sequence, counted up to 10,000.',
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const backlog = await inTime(read());
      if (backlog === undefined) return;
      result.observe(age, backlog.outboxAgeSeconds);
      result.observe(pending, backlog.unsequenced);
    },
    [age, pending],
  );
}

type Reading = { readonly value: number; readonly attributes?: Readonly<Record<string, string>> };

/**
 * Read at each scrape. A reading that fails or takes longer than 2 s is left out: the other metrics of this process must
 * arrive while the database is away.
 */
export function observe(
  name: string,
  description: string,
  read: () => Promise<readonly Reading[]>,
): void {
  const gauge = metrics.getMeter('tonearm').createObservableGauge(name, { description });
  gauge.addCallback(async (result) => {
    const readings = await inTime(read());
    for (const { value, attributes } of readings ?? []) result.observe(value, attributes);
  });
}

const readWithinMs = 2_000;

async function inTime<T>(reading: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), readWithinMs);
  try {
    return await Promise.race([reading.catch(() => undefined), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
