import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as tick, setTimeout as wait } from 'node:timers/promises';
import { createAdmission, type OutboundLimits } from './admission.ts';
import { openOutbound } from './post.ts';

const plenty = { total: 1e9, perKey: 1e9 };
const unbounded: OutboundLimits = { bytes: plenty, sockets: plenty, starts: plenty };

// Before any request: a connection that becomes idle while timers are mocked keeps a mocked one.
describe('admission', () => {
  test('a request to a hanging receiver releases its start, and keeps its socket', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const admit = createAdmission({ ...unbounded, starts: { total: 1, perKey: 1 } });
    await admit('org_1', 1, undefined);
    let isAdmitted = false;
    const second = admit('org_1', 1, undefined).then(() => (isAdmitted = true));
    await tick();
    assert.equal(isAdmitted, false);
    context.mock.timers.tick(100);
    await second;
  });
});

describe('requests to receivers', () => {
  const unanswered: ServerResponse[] = [];
  const server = createServer((_request, response) => void unanswered.push(response));
  let url = '';
  let most = 0;
  before(async () => {
    server.on('request', () => (most = Math.max(most, unanswered.length)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  beforeEach(() => void (most = 0));
  after(() => server.close());

  const bodyBytes = 100_000;
  const open = (limits: OutboundLimits) => {
    const outbound = openOutbound({ policy: { allowHttp: true, allowLoopback: true }, limits });
    return (organization: string, timeoutMs = 5_000, headers = () => ({})) =>
      outbound.post(url, { headers, body: Buffer.alloc(bodyBytes) }, { organization, timeoutMs });
  };
  const answerOne = async (atOnce = 1): Promise<void> => {
    while (unanswered.length < atOnce) await tick();
    unanswered.shift()?.end();
  };

  for (const [what, limits] of [
    ['sockets', { ...unbounded, sockets: { total: 2, perKey: 2 } }],
    ['bytes', { ...unbounded, bytes: { total: 3 * bodyBytes, perKey: 3 * bodyBytes } }],
  ] as const) {
    test(`no more at once than the limit of ${what}; the others wait, and none is refused`, async () => {
      const post = open(limits);
      const all = Array.from({ length: 12 }, (_, i) => post(`org_${i % 3}`));
      for (let left = all.length; left > 0; left--) await answerOne(Math.min(2, left));
      const kinds = (await Promise.all(all)).map(({ kind }) => kind);
      assert.deepEqual(new Set(kinds), new Set(['answered']));
      assert.equal(most, 2);
    });
  }

  test('a request’s time-out starts when it is sent, and its headers are made then', async () => {
    const post = open({ ...unbounded, sockets: { total: 1, perKey: 1 } });
    let isFirstDone = false;
    const first = post('org_1');
    const timeoutMs = 300;
    const second = post('org_2', timeoutMs, () => {
      assert.ok(isFirstDone, 'not while it waits');
      return {};
    });
    await wait(timeoutMs + 50);
    isFirstDone = true;
    await answerOne();
    await first;
    await answerOne();
    const outcome = await second;
    assert.equal(outcome.kind, 'answered');
    assert.ok(outcome.durationMs < timeoutMs);
  });
});
