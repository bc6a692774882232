/** What is measured. Names and alerts that use them: ops/alerts.yml. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Meter, metrics } from '@opentelemetry/api';

/** Made at first use: instruments of a meter asked for before telemetry started would stay silent. */
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
    description: 'Attempts of engine handlers; those that failed are tried again.',
  }),
);

export const webhookAttempts = lazily((meter) =>
  meter.createCounter('tonearm_webhook_attempts', {
    description: 'Attempts to bring an event to an endpoint, by whether they succeeded.',
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
    description: 'Invocations the engine has given up on until somebody looks.',
  }),
);

export const silentCanaries = lazily((meter) =>
  meter.createGauge('tonearm_engine_silent_canaries', {
    description: 'Canaries of the last round that were not answered in time.',
  }),
);

const lagResolutionMs = 10;

/** The longest this process has kept everything waiting since the last scrape. */
export function observeEventLoopLag(): void {
  const delay = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delay.enable();
  const lag = metrics.getMeter('tonearm').createObservableGauge('tonearm_event_loop_lag_seconds', {
    description: 'The longest wait for the event loop since the last scrape.',
  });
  lag.addCallback((result) => {
    // A sample is the time between two ticks of a timer, which is its resolution when nothing waits.
    result.observe(Math.max(0, delay.max / 1e9 - lagResolutionMs / 1e3));
    delay.reset();
  });
}

export type Backlog = { readonly outboxAgeSeconds: number; readonly unsequenced: number };

/** Asked for at each scrape. */
export function observeBacklog(read: () => Promise<Backlog>): void {
  const meter = metrics.getMeter('tonearm');
  const age = meter.createObservableGauge('tonearm_outbox_age_seconds', {
    description: 'How long the oldest outbox row has been waiting to be handed over.',
  });
  const pending = meter.createObservableGauge('tonearm_sequencer_pending', {
    description: 'Committed events and audit rows without a sequence, counted up to 10,000.',
  });
  meter.addBatchObservableCallback(
    async (result) => {
      const { outboxAgeSeconds, unsequenced } = await read();
      result.observe(age, outboxAgeSeconds);
      result.observe(pending, unsequenced);
    },
    [age, pending],
  );
}

/** Asked for at each scrape. */
export function observeLateWebhooks(count: () => Promise<number>): void {
  const late = metrics.getMeter('tonearm').createObservableGauge('tonearm_webhooks_late', {
    description:
      'Endpoints whose events nobody has been sending for a minute, counted up to 10,000.',
  });
  late.addCallback(async (result) => result.observe(await count()));
}

/** Asked for at each scrape, so that it falls while no upkeep runs. */
export function observePartitionsAhead(read: () => Promise<number>): void {
  const ahead = metrics.getMeter('tonearm').createObservableGauge('tonearm_partitions_ahead_days', {
    description:
      'Days until some table has no partition for new rows, which then go to its default partition.',
  });
  ahead.addCallback(async (result) => result.observe(await read()));
}
