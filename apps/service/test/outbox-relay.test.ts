/** The relay against an engine that does not answer for some keys, as when one of its partitions has no leader. */

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Clock } from '../src/kernel/clock.ts';
import { addMs, secondMs } from '../src/kernel/duration.ts';
import { type Ingress, openIngress } from '../src/platform/engine/ingress.ts';
import { createOutboxRelay } from '../src/platform/engine/outbox-relay.ts';
import { openTestService, type TestService } from './test-service.ts';

const start = new Date('2026-11-16T12:00:00.000Z');
const timeoutMs = 100;

describe('the outbox relay', () => {
  let service: TestService;
  let engine: Server;
  let ingress: Ingress;
  let isStalled = true;
  const accepted = new Set<string>();
  before(async () => {
    service = await openTestService();
    engine = createServer((request, response) => {
      const key = request.url?.split('/')[4] ?? '';
      if (isStalled && key.startsWith('stalled')) return;
      accepted.add(key);
      response.writeHead(202).end(JSON.stringify({ invocationId: 'inv_1', status: 'Accepted' }));
    });
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    ingress = openIngress(`http://127.0.0.1:${(engine.address() as AddressInfo).port}`, timeoutMs);
  });
  beforeEach(async () => {
    isStalled = true;
    accepted.clear();
    await service.query('truncate outbox');
  });
  after(async () => {
    await ingress.close();
    engine.closeAllConnections();
    engine.close();
    await service.close();
  });

  const givenRows = (key: string, count: number) =>
    service.query(
      `insert into outbox (id, service, key, handler)
       select uuidv7(), 'worked', $1 || '-' || n, 'step' from generate_series(1, $2) n`,
      [key, count],
    );
  const countRows = async (): Promise<number> =>
    (await service.query('select count(*)::int as rows from outbox'))[0].rows;
  const at = (ms: number): Clock => ({ now: () => addMs(start, ms) });

  test('sends the rows behind those that the engine does not answer, and those once it does', async () => {
    await givenRows('stalled', 300);
    await givenRows('good', 50);
    const relay = createOutboxRelay(service.relayDb, ingress, at(0));
    for (let batch = 0; batch < 40 && accepted.size < 50; batch++) await relay();
    assert.equal(accepted.size, 50);
    // A row that was accepted, and whose answer came too late, is still there.
    assert.ok((await countRows()) >= 300);

    isStalled = false;
    const later = createOutboxRelay(service.relayDb, ingress, at(5 * secondMs));
    for (let batch = 0; batch < 40 && (await later()) > 0; batch++);
    assert.equal(accepted.size, 350);
    assert.equal(await countRows(), 0);
  });

  test('throws when the engine cannot be reached, and leaves the rows as they are', async () => {
    await givenRows('good', 3);
    const nowhere = openIngress('http://127.0.0.1:1');
    await assert.rejects(createOutboxRelay(service.relayDb, nowhere, at(0))());
    await nowhere.close();
    const rows = await service.query('select refusals, not_before from outbox');
    assert.deepEqual(
      rows,
      Array.from({ length: 3 }, () => ({ refusals: 0, not_before: null })),
    );
  });
});
