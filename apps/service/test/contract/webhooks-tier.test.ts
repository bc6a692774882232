/** Events of the enterprise tier: spec §6, contract §6. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

const event_type = 'api.changelog.published';

describe('contract §6: api.changelog.published needs the enterprise tier', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const setTier = async ({ orgId }: OrgClient, tier: string): Promise<void> => {
    await fixture.service.admin('org', 'set-tier', '--org', orgId, '--tier', tier);
    await fixture.advanceTime(5_000);
  };
  const typesOf = (events: readonly { readonly json: Json }[]): string[] =>
    events.map(({ json }) => json.type);
  const publish = (date: string) => fixture.service.admin('changelog', 'publish', '--date', date);

  for (const tier of ['starter', 'growth'] as const) {
    test(`naming it in POST or PATCH in the ${tier} tier → 403 tier_not_allowed; * is accepted`, async () => {
      const caller = await fixture.service.givenOrganization({ tier });
      const { url } = await fixture.receiver();
      const refused = [403, 'tier_not_allowed'] as const;
      const alone = [...refused, 'event_type'] as const;
      await fixture.expectRefusal(caller, alone, 'POST', '/v1/webhooks', { url, event_type });
      const among = { url, event_type: ['asset.ready', event_type] };
      const second = [...refused, 'event_type[1]'] as const;
      const reply = await fixture.expectRefusal(caller, second, 'POST', '/v1/webhooks', among);
      assert.match(reply.json.error.message, new RegExp(`enterprise.*${tier}`));
      const { id } = await fixture.register(caller, url, { event_type: '*' });
      await fixture.expectRefusal(caller, alone, 'PATCH', `/v1/webhooks/${id}`, { event_type });
      assert.equal(
        (await caller.call('PATCH', `/v1/webhooks/${id}`, { description: 'x' })).status,
        200,
      );
    });
  }

  test('an organization that joins the tier may name it within 5 s', async () => {
    const caller = await fixture.service.givenOrganization({ tier: 'growth' });
    const { url } = await fixture.receiver();
    const register = () => caller.call('POST', '/v1/webhooks', { url, event_type });
    assert.equal((await register()).status, 403);
    await setTier(caller, 'enterprise');
    assert.equal((await register()).status, 201);
  });

  test('an organization that leaves the tier gets no more of them, named or by *', async () => {
    const caller = await fixture.service.givenOrganization({ tier: 'enterprise' });
    const [named, all] = [await fixture.receiver(), await fixture.receiver()];
    await fixture.register(caller, named.url, { event_type });
    await fixture.register(caller, all.url);
    await publish('2024-06-01');
    await fixture.deliverPending();
    assert.deepEqual(
      [typesOf(named.events()), typesOf(all.events())],
      [[event_type], [event_type]],
    );
    await publish('2024-04-15');
    await setTier(caller, 'growth');
    await fixture.triggerEvent(caller);
    await publish('2024-02-01');
    await fixture.deliverPending();
    assert.deepEqual(typesOf(named.events()), [event_type]);
    assert.deepEqual(typesOf(all.events()), [event_type, 'release.created']);
  });
});
