/** Metrics on their private port, and a trace followed from a POST to the handlers it caused. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { until } from '../../../scripts/servers/server.ts';
import { sandboxQuotas } from '../src/identity/face.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { createKeyring } from '../src/platform/crypto/keyring.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { setTimer } from '../src/platform/engine/timers.ts';
import { ok } from '../src/platform/http/answer.ts';
import { mutation } from '../src/platform/http/mutation.ts';
import { buildServer } from '../src/platform/http/server.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { startTelemetry } from '../src/platform/telemetry/telemetry.ts';
import { kill, startApi, startRelay, startWorker } from './processes.ts';
import { openServiceWithEngine } from './service-with-engine.ts';
import { draft, openTestService, unlimited } from './test-service.ts';

const offset = Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);

/** Every role exports this metric. */
const lagMetric = /tonearm_event_loop_lag_seconds(\{[^}]*\})? \d/;

describe('metrics', () => {
  test('requests, limits and their durations, on a port that is not the api’s', async () => {
    const service = await openTestService();
    const label = await service.givenOrganization();
    const port = 24_080 + offset;
    const api = await startApi(service.database, { TONEARM_METRICS_PORT: String(port) });
    const headers = { authorization: `Bearer ${label.key}`, 'content-type': 'application/json' };
    await fetch(`${api.url}/v1/releases`, {
      method: 'POST',
      headers,
      body: JSON.stringify(draft()),
    });
    await Promise.all(Array.from({ length: 30 }, () => fetch(`${api.url}/v1/releases`)));
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    assert.match(
      text,
      /tonearm_http_request_duration_seconds_count\{[^}]*method="POST"[^}]*status="201"[^}]*\} 1/,
    );
    assert.match(text, /tonearm_rate_limited_total\{[^}]*\} [1-9]/);
    assert.match(text, lagMetric);
    const publicText = await (await fetch(`${api.url}/metrics`)).text();
    assert.ok(!publicText.includes('tonearm_http'), 'contract §1: on the private port only');
    await kill(api);
    await service.close();
  });
});

type ReceivedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
};

describe('a trace', () => {
  const spans: ReceivedSpan[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body);
      for (const { scopeSpans } of resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
      response.end('{}');
    });
  });
  let tracesUrl: string;
  before(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    tracesUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
    await startTelemetry('test', { tracesUrl, metricsPort: undefined, metricsHost: '' });
  });
  after(async () => {
    for (const api of [trace, context, propagation, metrics]) api.disable();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  });

  test('goes from a POST through its outbox row, the relay and the engine to its handlers', async (t) => {
    const stack = await openServiceWithEngine(24_180);
    const label = await stack.service.givenOrganization();
    await stack.serve([{ service: 'target', handlers: { run: async () => undefined } }], 'target');
    const env = { TONEARM_ENGINE_IDENTITY_KEYS: stack.identityKey, TONEARM_TRACES_URL: tracesUrl };
    const metricsPort = 24_280 + offset;
    const workerMetricsPort = 24_290 + offset;
    const [relay, worker] = await Promise.all([
      startRelay(stack.service.database, stack.urls, { TONEARM_METRICS_PORT: String(metricsPort) }),
      startWorker(stack.service.database, stack.urls, {
        ...env,
        TONEARM_METRICS_PORT: String(workerMetricsPort),
      }),
    ]);
    const server = buildServer({
      newId: createIds(systemClock),
      authenticate: async () => ({
        orgId: label.orgId as `org_${string}`,
        actor: { type: 'operator', id: 'test' },
        scopes: new Set(['releases:write']),
        tier: 'growth',
        isSuspended: false,
        ratePolicy: { perMinute: 100, perSecond: 100 },
        quotas: sandboxQuotas,
      }),
      limits: {
        limiter: unlimited,
        anonymous: { perMinute: 100, perSecond: 100 },
        pages: { perMinute: 100, perSecond: 100 },
      },
      recordDeprecatedUse: async () => undefined,
      proxyHops: 0,
      publicUrl: undefined,
      logger: createLogger('silent'),
      isDraining: () => false,
    });
    const keyring = createKeyring([{ id: 'test', secret: Buffer.alloc(32) }]);
    mutation(
      server,
      { db: stack.service.db, clock: systemClock, keyring },
      {
        id: 'start',
        action: 'test.start',
        effect: 'changes',
        tag: 'Test',
        summary: 'Start',
        method: 'POST',
        path: '/v1/start',
        scope: 'releases:write',
        answers: { 200: null },
        problems: [],
      },
      async (tx) => {
        setTimer(tx, tx.now, { service: 'target', key: 'test', handler: 'run' });
        return { answer: ok({}), auditedId: 'test', before: undefined };
      },
    );
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const reply = await fetch(`${url}/v1/start`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
    });
    assert.equal(reply.status, 200);

    const spanOf = (name: string) => spans.find((span) => span.name === name);
    await until(
      'the spans have arrived',
      () => spanOf('target/run') !== undefined && spanOf('POST /v1/start') !== undefined,
    );
    const [post, target] = ['POST /v1/start', 'target/run'].map((name) => spanOf(name)!);
    assert.equal(target!.traceId, post!.traceId, 'one trace');
    assert.equal(target!.parentSpanId, post!.spanId);
    t.diagnostic(`trace ${post!.traceId}: POST /v1/start → target/run`);

    const metricsAt = async (port: number) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const text = await metricsAt(metricsPort);
    assert.match(text, /tonearm_outbox_age_seconds(\{[^}]*\})? \d/);
    assert.match(text, /tonearm_sequencer_pending(\{[^}]*\})? \d/);
    assert.match(text, lagMetric);
    const workerText = await metricsAt(workerMetricsPort);
    assert.match(workerText, lagMetric);
    assert.match(workerText, /tonearm_partitions_ahead_days(\{[^}]*\})? 1[345](\.\d+)?\n/);
    assert.match(workerText, /tonearm_webhooks_late(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_store_answers_age_seconds(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_payouts_processing_age_seconds(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_runs_unmoved_seconds(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_documents_failed(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_assets_processing_age_seconds(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_scratch_free_bytes(\{[^}]*\})? [1-9]/);
    assert.match(workerText, /tonearm_engine_freed_invocations_total(\{[^}]*\})? 0/);
    assert.match(workerText, /tonearm_handler_runs_total\{[^}]*outcome="gave_up"[^}]*\} 0/);
    await server.close();
    await Promise.all([kill(relay), kill(worker)]);
    await stack.close();
  });
});
