/** The changelog (spec §6, §9, contract §4, §6, §10): the public list, and the event for the enterprise tier. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { Problem } from '../../src/kernel/problem.ts';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

describe('the changelog', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const entries = async (): Promise<Json[]> =>
    (await fixture.service.request(undefined, 'GET', '/v1/changelog')).json.data;
  const publish = (...argv: string[]) =>
    fixture.service.admin('changelog', 'publish', ...argv) as Promise<Json>;
  const publishedEvents = async (caller: OrgClient): Promise<Json[]> => {
    await fixture.deliverPending();
    return fixture.eventsOf(caller, '&type=api.changelog.published');
  };

  describe('contract §4, §10: GET /v1/changelog', () => {
    test('is public and has the three specified entries, newest first', async () => {
      const { status } = await fixture.service.request(undefined, 'GET', '/v1/changelog');
      assert.equal(status, 200);
      const dates = (await entries()).map(({ date }): string => date);
      assert.deepEqual(dates, dates.toSorted().toReversed());
      assert.deepEqual(dates.slice(-3), ['2024-06-01', '2024-04-15', '2024-02-01']);
      assert.equal(new Set(dates).size, dates.length, 'spec §9.4: each entry has its own date');
    });

    test('contract §10: each entry has the absolute URL of its page', async () => {
      for (const { date, url } of await entries()) {
        assert.equal(url, `${fixture.service.url}/docs/guides/changelog#${date}`);
      }
    });

    test('contract §10: entries after the specified ones name only paths that exist', async () => {
      const paths = new Set(fixture.service.api.operations.map(({ path }) => path));
      const named = (await entries())
        .filter(({ date }) => date > '2024-06-01')
        .flatMap(({ changes }) =>
          changes.flatMap(({ text }: Json) => text.match(/\/v1\/[\w./{}]*\w\}?/g) ?? []),
        )
        .map((path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
      assert.ok(named.length >= 8);
      assert.deepEqual(
        named.filter((path: string) => !paths.has(path)),
        [],
      );
    });

    test('spec §9.3: deprecated entries have a sunset date, and no others do', async () => {
      const changes = (await entries()).flatMap((entry) => entry.changes);
      const sunsets = changes.filter(({ kind }) => kind === 'deprecated');
      assert.deepEqual(
        sunsets.map(({ sunset }) => sunset),
        ['2028-01-01', '2024-09-01'],
      );
      for (const { kind, text, sunset } of changes) {
        assert.ok(['added', 'changed', 'deprecated', 'removed', 'fixed'].includes(kind));
        assert.match(text, /\.$/);
        assert.equal(sunset !== null, kind === 'deprecated');
      }
    });
  });

  describe('spec §6, contract §6: api.changelog.published', () => {
    let enterprise: OrgClient;
    let growth: OrgClient;
    let starter: OrgClient;
    before(async () => {
      enterprise = await fixture.service.givenOrganization({ tier: 'enterprise' });
      growth = await fixture.service.givenOrganization({ tier: 'growth' });
      starter = await fixture.service.givenOrganization({ tier: 'starter' });
    });

    test('is sent to the enterprise tier only, with the entry as GET shows it', async () => {
      const receivers = [];
      for (const caller of [enterprise, growth, starter]) {
        const receiver = await fixture.receiver();
        receivers.push(receiver);
        const event_type = caller === enterprise ? 'api.changelog.published' : '*';
        await fixture.register(caller, receiver.url, { event_type });
      }
      const published = await publish('--date', '2024-06-01');
      assert.deepEqual(published, {
        organizations: [{ org_id: enterprise.orgId, entry: '2024-06-01' }],
      });
      const [event, ...more] = await publishedEvents(enterprise);
      assert.deepEqual(more, []);
      const entry = (await entries()).find(({ date }) => date === '2024-06-01');
      assert.deepEqual(Object.keys(event.data).toSorted(), ['changes', 'date', 'title', 'url']);
      assert.deepEqual(event.data, entry);
      const [received, ...others] = receivers.map((each) => each.events().map(({ json }) => json));
      const { webhooks: _webhooks, ...sent } = event;
      assert.deepEqual(received, [sent]);
      assert.deepEqual(others, [[], []]);
      for (const caller of [growth, starter]) assert.deepEqual(await publishedEvents(caller), []);
      const { json } = await fixture.service.request(undefined, 'GET', '/v1/event_types');
      const { schema } = json.data.find(({ type }: Json) => type === 'api.changelog.published');
      assert.deepEqual(Compile(schema).Errors(event.data), []);
    });

    test('an entry that is published again adds no event; another entry is another event', async () => {
      assert.deepEqual(await publish('--date', '2024-04-15'), {
        organizations: [{ org_id: enterprise.orgId, entry: '2024-04-15' }],
      });
      const once = await publishedEvents(enterprise);
      assert.deepEqual(await publish('--date', '2024-04-15'), { organizations: [] });
      assert.deepEqual(await publishedEvents(enterprise), once);
      const audited = await fixture.service.query(
        `select actor_type, audited_id from audit where action = 'changelog.publish' and audited_id = '2024-04-15'`,
      );
      assert.deepEqual(audited, [{ actor_type: 'operator', audited_id: '2024-04-15' }]);
    });

    test('an entry that is published again is sent only to organizations created since', async () => {
      await publish('--date', '2024-02-01');
      const newer = await fixture.service.givenOrganization({ tier: 'enterprise' });
      assert.deepEqual(await publish('--date', '2024-02-01'), {
        organizations: [{ org_id: newer.orgId, entry: '2024-02-01' }],
      });
      assert.equal((await publishedEvents(newer)).length, 1);
    });

    const refused: readonly (readonly [
      what: string,
      argv: readonly string[],
      code: string,
      message: RegExp,
    ])[] = [
      ['no date', [], 'invalid_request', /^--date is required/],
      ['an empty date', ['--date', ''], 'invalid_request', /^--date is required/],
      ['a date that does not exist', ['--date', '2024-02-30'], 'invalid_request', /must be a date/],
      ['a time', ['--date', '2024-06-01T00:00:00Z'], 'invalid_request', /must be a date/],
      ['a date without an entry', ['--date', '2024-06-02'], 'resource_not_found', /no entry/],
    ];
    for (const [what, argv, code, message] of refused) {
      test(`${what} → ${code}, and no event is added`, async () => {
        const earlier = await fixture.traceOf(enterprise);
        await assert.rejects(
          publish(...argv),
          (error) => error instanceof Problem && error.code === code && message.test(error.message),
        );
        assert.deepEqual(await fixture.traceOf(enterprise), earlier);
      });
    }
  });
});
