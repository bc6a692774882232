/** Architecture: one organization's backlog of webhooks does not delay another's (contract §6). */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../scripts/servers/server.ts';
import { type OrgId, toUuid } from '../src/kernel/ids.ts';
import { openOutbound } from '../src/platform/outbound/post.ts';
import type { WebhookId } from '../src/webhooks/domain/webhook.ts';
import { runDispatcher } from '../src/webhooks/messages.ts';
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const perOrganization = 4;
const limits = {
  bytes: { total: 1e9, perKey: 1e9 },
  starts: { total: 1e9, perKey: 1e9 },
  sockets: { total: 6, perKey: perOrganization },
};
const waitLimitMs = 20_000;

/** Leaves requests without a response until `answer` is called; pings are answered at once. */
async function openStallingReceiver() {
  const openResponses = new Set<ServerResponse>();
  const state = { isStalling: true, received: 0 };
  const server = createServer((request, response) => {
    request.resume();
    const isPing = request.headers['x-svc-event'] === 'ping';
    if (!isPing) {
      state.received += 1;
      openResponses.add(response);
      response.once('close', () => openResponses.delete(response));
    }
    if (isPing || !state.isStalling) response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    state,
    openResponses,
    answer: () => {
      state.isStalling = false;
      for (const response of openResponses) response.end();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type StallingReceiver = Awaited<ReturnType<typeof openStallingReceiver>>;

describe('an organization with thousands of events to send', () => {
  let fixture: WebhookFixture;
  const receivers: StallingReceiver[] = [];
  before(async () => {
    const outbound = openOutbound({ policy: { allowHttp: true, allowLoopback: true }, limits });
    fixture = await openWebhookFixture(new Date().toISOString(), {
      ...outbound,
      // Requests to a stalling receiver must not time out during the test.
      post: (url, message, options) =>
        outbound.post(url, message, { ...options, timeoutMs: waitLimitMs }),
    });
  });
  after(async () => {
    for (const receiver of receivers) receiver.close();
    await fixture.close();
  });

  const givenBacklog = async (endpoints: number, events: number) => {
    const { service } = fixture;
    const caller = await service.givenOrganization();
    const orgId = caller.orgId as OrgId;
    const receiver = await openStallingReceiver();
    receivers.push(receiver);
    const ids: WebhookId[] = [];
    for (let i = 0; i < endpoints; i++) ids.push((await fixture.register(caller, receiver.url)).id);
    await service.query(
      `with new_events as (
         insert into events (org_id, id, type, data, created_at, sequence)
         select $1, uuidv7(), 'release.created', '{}', $2, i from generate_series(1, $3::int) i returning id
       )
       insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempt_id, next_at)
       select $1, new_events.id, webhook_id, 'pending', uuidv7(), $2 from new_events, unnest($4::uuid[]) webhook_id`,
      [toUuid(orgId), service.clock.now(), events, ids.map((id) => toUuid(id))],
    );
    const send = () => Promise.all(ids.map((id) => fixture.handle(runDispatcher(orgId, id))));
    return { orgId, receiver, send };
  };
  const markUndelivered = (orgId: OrgId) =>
    fixture.service.query(
      `update webhook_deliveries set status = 'undelivered', next_at = null
        where org_id = $1 and status = 'pending'`,
      [toUuid(orgId)],
    );

  test('does not delay others: while its receivers hang, an event of another organization arrives', async () => {
    const busy = await givenBacklog(4, 1_000);
    const busySent = busy.send();
    await until(
      'it uses all its sockets',
      () => busy.receiver.openResponses.size >= perOrganization,
      waitLimitMs,
    );
    const other = await givenBacklog(1, 1);
    other.receiver.answer();
    await other.send();
    assert.equal(other.receiver.state.received, 1);
    assert.equal(busy.receiver.state.received, perOrganization, '4 of 4,000');
    await markUndelivered(busy.orgId);
    busy.receiver.answer();
    await busySent;
  });
});
