/** Waiters: woken by events, by polling where there are none, and through failures. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssetFailedError, type Delivery, WaitTimeoutError } from '../src/index.ts';
import {
  givenClient,
  type Handler,
  hangUp,
  json,
  type Received,
  refusal,
} from './scripted-server.ts';

const delivery = (status: string) => ({ id: 'dlv_1', status, stores: [{ status }] });
const completed = { type: 'delivery.completed', sequence: 8, data: { id: 'dlv_1' } };
const other = { type: 'delivery.completed', sequence: 7, data: { id: 'dlv_2' } };
const events = (...data: unknown[]) => json(200, { data, next_cursor: null, has_more: false });

/** A service whose delivery is what the test says, and whose events are those after `after`. */
const service =
  (state: { delivery: Handler; events: Handler }): Handler =>
  (response, request) =>
    (request.path.startsWith('/v1/events') ? state.events : state.delivery)(response, request);

const pathsOf = (received: readonly Received[], start: string) =>
  received.map(({ path }) => path).filter((path) => path.startsWith(start));

test('a delivery is read again only after an event of its own', async (t) => {
  const state = { delivery: json(200, delivery('in_progress')), events: events(other) };
  const { tonearm, received } = await givenClient(t, [service(state)]);
  const seen: string[] = [];
  const onProgress = ({ status }: Delivery) => seen.push(status);
  const waiting = Promise.all([
    tonearm.deliveries.waitFor('dlv_1', { onProgress }),
    tonearm.deliveries.waitFor('dlv_1'),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(pathsOf(received, '/v1/deliveries').length, 2, 'once for each waiter');
  state.delivery = json(200, delivery('delivered'));
  state.events = events(completed);
  const [done] = await waiting;
  assert.equal(done.status, 'delivered');
  assert.deepEqual(seen, ['in_progress', 'delivered']);
  assert.equal(pathsOf(received, '/v1/deliveries').length, 4);
  assert.deepEqual(
    new Set(pathsOf(received, '/v1/events')),
    new Set(['/v1/events?limit=1', '/v1/events?after=7&limit=100']),
  );
});

test('a key that may not read events polls', async (t) => {
  const answers = ['in_progress', 'in_progress', 'rejected'];
  const state: { delivery: Handler; events: Handler } = {
    delivery: (...parameters) => json(200, delivery(answers.shift() ?? ''))(...parameters),
    events: refusal(403, 'insufficient_scope'),
  };
  const { tonearm, received } = await givenClient(t, [service(state)]);
  assert.equal((await tonearm.deliveries.waitFor('dlv_1')).status, 'rejected');
  assert.equal(pathsOf(received, '/v1/events').length, 1, 'it does not ask again');
});

test('a service that is away for a while does not end the waiting', async (t) => {
  const state = { delivery: hangUp, events: hangUp };
  const { tonearm } = await givenClient(t, [service(state)], { maxRetries: 0 });
  const waiting = tonearm.deliveries.waitFor('dlv_1');
  setTimeout(() => (state.delivery = json(200, delivery('delivered'))), 100);
  assert.equal((await waiting).status, 'delivered');
});

test('a waiter gives up in time and says what it saw last', async (t) => {
  const state = { delivery: json(200, delivery('in_progress')), events: events() };
  const { tonearm } = await givenClient(t, [service(state)]);
  const waiting = tonearm.deliveries.waitFor('dlv_1', { timeoutMs: 60 });
  await assert.rejects(waiting, (error: unknown) => {
    assert.ok(error instanceof WaitTimeoutError);
    assert.equal((error.last as Delivery).status, 'in_progress');
    return true;
  });
});

test('a signal ends a waiter, and until waits for something else', async (t) => {
  const state = { delivery: json(200, delivery('delivered')), events: events() };
  const { tonearm } = await givenClient(t, [service(state)]);
  const until = ({ status }: Delivery) => status === 'taken_down';
  const signal = AbortSignal.timeout(50);
  await assert.rejects(tonearm.deliveries.waitFor('dlv_1', { until, signal }), /TimeoutError/);
  await assert.rejects(tonearm.deliveries.waitFor('', {}), /delivery_id is missing/);
});

test('an asset that failed rejects with what is wrong with its file', async (t) => {
  const asset = {
    id: 'ast_1',
    status: 'failed',
    file_name: 'a.wav',
    failure_reason: 'It is empty.',
  };
  const state = { delivery: json(200, asset), events: events() };
  const { tonearm } = await givenClient(t, [service(state)]);
  await assert.rejects(tonearm.assets.waitFor('ast_1'), (error: unknown) => {
    assert.ok(error instanceof AssetFailedError);
    assert.equal(error.message, 'a.wav: It is empty.');
    assert.equal(error.asset.id, 'ast_1');
    return true;
  });
});
