/** Allowed webhook URLs (contract §6, §7): a refused URL leaves no trace, not even a ping. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { codeOf } from '../delivery-fixture.ts';
import { openTestService } from '../test-service.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

const refused: readonly (readonly [string, string])[] = [
  ['an empty URL', ''],
  ['not a URL', 'partner'],
  ['no host', 'https://'],
  ['a relative URL', '/hooks'],
  ['another scheme', 'ftp://partner.example/'],
  ['a file', 'file:///etc/passwd'],
  ['a user and a password', 'https://user:secret@partner.example/'],
  ['a user', 'https://user@partner.example/'],
  ['an empty user', 'https://@partner.example/'],
  ['a fragment', 'https://partner.example/#here'],
  ['an empty fragment', 'https://partner.example/#'],
  ['a space', 'https://partner.example/a b'],
  ['a line break', 'https://partner.example/\r\nX-Evil: 1'],
  ['a port of another protocol', 'https://partner.example:25/'],
  ['a private address', 'https://10.0.0.1/'],
  ['another private address', 'https://172.16.0.1/'],
  ['a third private address', 'https://192.168.1.1/'],
  ['link-local', 'https://169.254.1.1/'],
  ['link-local in IPv6', 'https://[fe80::1]/'],
  ['a unique local address', 'https://[fd00::1]/'],
  ['the metadata address', 'http://169.254.169.254/latest'],
  ['carrier-grade NAT', 'https://100.64.0.1/'],
  ['NAT64', 'https://[64:ff9b::a00:1]/'],
  ['6to4', 'https://[2002:a00:1::]/'],
  ['Teredo', 'https://[2001:0:1::]/'],
  ['the unspecified address', 'https://0.0.0.0/'],
  ['a private address in decimal', 'https://167772161/'],
  ['a private address in octal', 'https://012.0.0.1/'],
  ['a private address in hexadecimal', 'https://0xa.0.0.1/'],
  ['a private address in IPv6', 'https://[::ffff:10.0.0.1]/'],
  ['a name of a local network', 'https://printer.local/'],
  ['a name without a dot', 'https://intranet/'],
];

describe('urls of webhooks', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  for (const [what, url] of refused) {
    test(`contract §6: ${what} → webhook_url_not_allowed, at registration and in PATCH`, async () => {
      const { caller, webhook } = await fixture.givenWebhook();
      const expected = [422, 'webhook_url_not_allowed', 'url'] as const;
      await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', {
        url,
        event_type: '*',
      });
      await fixture.expectRefusal(caller, expected, 'PATCH', `/v1/webhooks/${webhook.id}`, { url });
    });
  }

  test('contract §6: 2048 characters are accepted, one more is not', async () => {
    const caller = await fixture.service.givenOrganization();
    const { url } = await fixture.receiver();
    const longest = `${url}?${'x'.repeat(2_048 - url.length - 1)}`;
    const webhook = await fixture.register(caller, longest);
    assert.deepEqual([webhook.status, webhook.url], ['verified', longest]);
    const body = { url: `${longest}x`, event_type: '*' };
    await fixture.expectRefusal(
      caller,
      [422, 'invalid_field', 'url'],
      'POST',
      '/v1/webhooks',
      body,
    );
    const path = `/v1/webhooks/${webhook.id}`;
    await fixture.expectRefusal(caller, [422, 'invalid_field', 'url'], 'PATCH', path, {
      url: body.url,
    });
  });

  test('contract §6: the encoded URL also has at most 2048 characters', async () => {
    const caller = await fixture.service.givenOrganization();
    const url = `https://partner.example/${'é'.repeat(1_000)}`;
    const body = { url, event_type: '*' };
    const expected = [422, 'webhook_url_not_allowed', 'url'] as const;
    await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', body);
  });

  test('contract §6: http and loopback in the sandbox, neither in live', async () => {
    const { webhook } = await fixture.givenWebhook();
    assert.match(webhook.url, /^http:\/\/127\.0\.0\.1:/);
    const live = await openTestService({ environment: 'live' });
    const caller = await live.givenOrganization();
    for (const url of [
      'http://partner.example/',
      'HTTP://partner.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'https://hooks.localhost/',
    ]) {
      const reply = await caller.call('POST', '/v1/webhooks', { url, event_type: '*' });
      assert.deepEqual(codeOf(reply), [422, 'webhook_url_not_allowed'], url);
    }
    assert.deepEqual((await caller.call('GET', '/v1/webhooks')).json.data, []);
    await live.close();
  });

  for (const url of ['http://10.0.0.1/', 'http://169.254.169.254/latest', 'http://[fd00::1]/']) {
    test(`contract §6: ${url} is refused again when an event is sent`, async () => {
      const { caller, webhook } = await fixture.givenWebhook();
      // As if it had been registered before the rule existed.
      await fixture.service.query('update webhooks set url = $2 where id = $1', [
        toUuid(webhook.id),
        url,
      ]);
      const pinged = await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
      assert.equal(pinged.json.verified_at, webhook.verified_at, 'no new verification');
      await fixture.triggerEvent(caller);
      const [{ id }] = await fixture.eventsOf(caller);
      const { attempts } = await fixture.eventOf(caller, id);
      assert.deepEqual(
        [attempts[0].status_code, attempts[0].failure],
        [null, 'The URL resolves to an address that is not public. Use a public address.'],
      );
    });
  }

  test('contract §6: https in live is accepted; a name that does not resolve leaves it unverified', async () => {
    const live = await openTestService({ environment: 'live' });
    const caller = await live.givenOrganization();
    const body = { url: 'https://nobody.invalid/hooks', event_type: '*' };
    const { status, json } = await caller.call('POST', '/v1/webhooks', body);
    assert.deepEqual([status, json.status, json.url], [201, 'unverified', body.url]);
    await live.close();
  });

  test('contract §8: a refused url is not stored for its key', async () => {
    const caller = await fixture.service.givenOrganization();
    const key = { 'idempotency-key': randomUUID() };
    const body = { url: 'https://10.0.0.1/', event_type: '*' };
    const expected = [422, 'webhook_url_not_allowed', 'url'] as const;
    await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', body, key);
    const corrected = { ...body, url: (await fixture.receiver()).url };
    assert.equal((await caller.call('POST', '/v1/webhooks', corrected, key)).status, 201);
  });

  for (const url of [7, null, ['https://partner.example/'], {}]) {
    test(`contract §7: url ${JSON.stringify(url)} → invalid_field`, async () => {
      const caller = await fixture.service.givenOrganization();
      const body = { url, event_type: '*' };
      await fixture.expectRefusal(
        caller,
        [422, 'invalid_field', 'url'],
        'POST',
        '/v1/webhooks',
        body,
      );
    });
  }
});
