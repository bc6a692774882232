/** The SDK against a real service: what only a service that stores something can show. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openReceiver, type Receiver } from '../../../apps/service/test/receiver.ts';
import {
  openTestService,
  type OrgClient,
  type TestService,
} from '../../../apps/service/test/test-service.ts';
import { PreconditionFailedError, Tonearm, UnprocessableError } from '../src/index.ts';
import { openLossyProxy } from './lossy-proxy.ts';

describe('the SDK against a real service', () => {
  let service: TestService;
  let partner: OrgClient;
  let receiver: Receiver;
  let proxy: Awaited<ReturnType<typeof openLossyProxy>>;
  let tonearm: Tonearm;
  before(async () => {
    service = await openTestService();
    partner = await service.givenOrganization();
    receiver = await openReceiver();
    proxy = await openLossyProxy(service.url);
    tonearm = new Tonearm({ apiKey: partner.key, baseUrl: proxy.url });
  });
  after(async () => {
    proxy.close();
    await receiver.close();
    await service.close();
  });

  const draft = (reference: string) => ({
    title: 'Night Drive',
    artists: [{ name: 'Aurora Díaz', role: 'main' as const }],
    release_date: '2027-01-15',
    reference,
  });

  test('answers that are lost create nothing twice', async () => {
    proxy.lose(2);
    const created = await tonearm.releases.create(draft('lost-answers')).withResponse();
    assert.equal(created.attempts, 3);
    assert.equal(created.response.headers.get('idempotency-replayed'), 'true');
    const found = await tonearm.releases.list({ reference: 'lost-answers' }).toArray();
    assert.deepEqual(
      found.map(({ id }) => id),
      [created.data.id],
    );
    proxy.lose(1);
    const { revision } = created.data;
    const updated = await tonearm.releases.update(created.data.id, { title: 'Night Ride' });
    assert.equal(updated.revision, revision + 1, 'it was changed once');
    proxy.lose(1);
    await tonearm.releases.delete(created.data.id);
    assert.deepEqual(await tonearm.releases.list({ reference: 'lost-answers' }).toArray(), []);
    assert.equal(proxy.lost(), 4);
  });

  test('a list of several pages has every item once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(names.map((name) => tonearm.labels.create({ name: `Label ${name}` })));
    const listed = await tonearm.labels.list({ limit: 2 }).toArray();
    const found = listed.map(({ name }) => name).filter((name) => /^Label \w$/.test(name));
    assert.deepEqual(
      found.toSorted(),
      names.map((name) => `Label ${name}`),
    );
  });

  test('an update of something that has changed meanwhile is refused', async () => {
    const { data, response } = await tonearm.releases.create(draft('etag')).withResponse();
    const ifMatch = response.headers.get('etag') ?? (await etagOf(data.id));
    await tonearm.releases.update(data.id, { title: 'First' }, { ifMatch });
    const late = tonearm.releases.update(data.id, { title: 'Second' }, { ifMatch });
    await assert.rejects(late, PreconditionFailedError);
  });

  const etagOf = async (id: string): Promise<string> => {
    const { response } = await tonearm.releases.get(id).withResponse();
    return response.headers.get('etag') ?? '';
  };

  test('a refusal names every wrong field and the request', async () => {
    const refused = tonearm.releases.create({} as ReturnType<typeof draft>);
    await assert.rejects(refused, (error: unknown) => {
      assert.ok(error instanceof UnprocessableError);
      assert.equal(error.code, 'missing_required_field');
      assert.deepEqual(
        error.details.map(({ field }) => field),
        ['title', 'artists', 'release_date'],
      );
      assert.match(String(error.requestId), /^req_/);
      assert.match(String(error.docUrl), /errors#missing_required_field$/);
      return true;
    });
  });

  test('a ping of the service is verified under both schemes, and nothing else is', async () => {
    const webhook = await tonearm.webhooks.create({ url: receiver.url, event_type: '*' });
    const ping = receiver.all.at(-1);
    assert.ok(ping !== undefined);
    for (const scheme of ['standard', 'svc'] as const) {
      // The time of a test service stands still, and the signature is of its time.
      const now = Number(ping.headers['webhook-timestamp']) * 1000;
      const verify = (secret: string) =>
        tonearm.webhooks.verify(ping.body, ping.headers, secret, { scheme, now });
      const event = await verify(webhook.secret);
      assert.ok(event.type === 'ping' && event.data.webhook_id === webhook.id);
      await assert.rejects(verify('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'));
    }
  });
});
