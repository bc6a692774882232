import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  eventTypesOf,
  hasFailedTooLong,
  refuseEnterpriseTypes,
  refuseEventTypes,
  refuseSecret,
  refuseTooManyWebhooks,
  type Webhook,
} from './webhook.ts';

const known = new Set(['release.created', 'asset.ready']);
const fieldsOf = (refusal: ReturnType<typeof refuseEventTypes>) =>
  refusal?.details?.map(({ field }) => field);

describe('contract §6: event types', () => {
  test('one, several, or all', () => {
    for (const requested of ['*', 'asset.ready', ['*'], ['asset.ready', 'release.created']]) {
      assert.equal(refuseEventTypes(requested, known), undefined);
    }
  });

  test('a type that is sent twice counts once', () => {
    assert.deepEqual(eventTypesOf('*'), ['*']);
    assert.deepEqual(eventTypesOf(['a', 'b', 'a']), ['a', 'b']);
    assert.equal(refuseEventTypes(['*', '*'], known), undefined);
  });

  test('spec §7: an unknown type is reported with its position', () => {
    assert.deepEqual(fieldsOf(refuseEventTypes('nothing', known)), ['event_type']);
    assert.deepEqual(fieldsOf(refuseEventTypes(['asset.ready', 'asset.ready', 'x', 'y'], known)), [
      'event_type[2]',
      'event_type[3]',
    ]);
  });

  test('* cannot be combined with other types', () => {
    assert.deepEqual(fieldsOf(refuseEventTypes(['asset.ready', '*'], known)), ['event_type']);
  });

  test('contract §6: below enterprise, api.changelog.published cannot be named', () => {
    const type = 'api.changelog.published';
    assert.equal(refuseEnterpriseTypes(['*'], 'starter'), undefined);
    assert.equal(refuseEnterpriseTypes(['asset.ready', type], 'enterprise'), undefined);
    const refusal = refuseEnterpriseTypes(['asset.ready', type], 'growth');
    assert.equal(refusal?.code, 'tier_not_allowed');
    assert.deepEqual(fieldsOf(refusal), ['event_type[1]']);
    assert.deepEqual(fieldsOf(refuseEnterpriseTypes(type, 'growth')), ['event_type']);
  });
});

describe('contract §6: whsec_ and the base64 of 24 to 64 bytes', () => {
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 251).toString('base64')}`;
  for (let bytes = 0; bytes <= 70; bytes++) {
    const isGood = bytes >= 24 && bytes <= 64;
    test(`${bytes} bytes are ${isGood ? 'accepted' : 'refused'}`, () => {
      assert.equal(refuseSecret(secretOf(bytes)) === undefined, isGood);
    });
  }

  for (const [what, secret] of [
    ['nothing', ''],
    ['the prefix alone', 'whsec_'],
    ['no prefix', secretOf(32).slice(6)],
    ['another prefix', secretOf(32).replace('whsec_', 'WHSEC_')],
    ['base64url', `whsec_${Buffer.alloc(32, 251).toString('base64url')}`],
    ['no padding', secretOf(32).replace('=', '')],
    ['padding in the middle', `whsec_AA==${'A'.repeat(40)}`],
    ['too much padding', `whsec_${'A'.repeat(41)}===`],
    ['a space before', ` ${secretOf(32)}`],
    ['a line break after', `${secretOf(32)}\n`],
  ] as const) {
    test(`${what} is refused`, () => {
      assert.equal(refuseSecret(secret)?.code, 'invalid_field');
    });
  }
});

test('an organization has at most 100 webhooks', () => {
  assert.equal(refuseTooManyWebhooks(99), undefined);
  assert.equal(refuseTooManyWebhooks(100)?.code, 'invalid_state');
});

test('contract §3: disabled once every attempt failed for 5 days', () => {
  const failing = (since: string | null) =>
    ({ failingSince: since === null ? null : new Date(since) }) as Webhook;
  const now = new Date('2026-11-16T12:00:00.000Z');
  assert.ok(!hasFailedTooLong(failing(null), now));
  assert.ok(!hasFailedTooLong(failing('2026-11-11T12:00:00.001Z'), now));
  assert.ok(hasFailedTooLong(failing('2026-11-11T12:00:00.000Z'), now));
});
