import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  buildManifest,
  buildNewRelease,
  checkMessage,
  createValidator,
  type DealTime,
  type ManifestMessage,
  takeDown,
  takedownMethods,
} from '../src/index.ts';
import { exampleAlbum, streaming, withDeals } from './example-album.ts';
import { schemaDirectory, withoutSchemas } from './schema-directory.ts';

const now = new Date('2026-11-17T09:30:00Z');

const endedAt = (start: DealTime, end?: DealTime): DealTime | undefined => {
  const period = end === undefined ? { start } : { start, end };
  const [deal] = takeDown(withDeals({ ...streaming, period }), now, 'end_deal').release.deals;
  return deal?.period.end;
};

describe('a takedown', () => {
  test('leaves out all deals, which is what stores prefer', () => {
    const message = takeDown(exampleAlbum, now);
    assert.deepEqual(message.release.deals, []);
    assert.doesNotMatch(buildNewRelease(message).xml, /Deal/);
  });

  test('says nothing about when the release may be shown', () => {
    const visibility = [{ displayStart: '2026-06-01T00:00:00' }];
    const shown = { ...exampleAlbum, release: { ...exampleAlbum.release, visibility } };
    assert.match(buildNewRelease(shown).xml, /ReleaseVisibility/);
    for (const method of takedownMethods)
      assert.doesNotMatch(buildNewRelease(takeDown(shown, now, method)).xml, /Visibility/);
  });

  test('by ended deals ends them two days ago, in the form of their start', () => {
    assert.equal(endedAt('2026-06-20T00:00:00'), '2026-11-15T00:00:00');
    assert.equal(endedAt('2026-06-20T12:00:00Z'), '2026-11-15T00:00:00Z');
    assert.equal(endedAt('2026-06-20T12:00:00+09:00'), '2026-11-15T00:00:00Z');
    assert.equal(endedAt('2026-06-20'), '2026-11-15');
  });

  test('keeps the end of a deal that has ended before', () => {
    assert.equal(endedAt('2026-06-20T00:00:00', '2026-07-01T00:00:00'), '2026-07-01T00:00:00');
  });

  test('leaves out deals that began too late to have ended', () => {
    assert.equal(endedAt('2026-11-16T00:00:00'), undefined);
    assert.equal(endedAt('2027-01-15T00:00:00Z'), undefined);
  });

  test('ends the deals of tracks too', () => {
    const { tracks } = takeDown(exampleAlbum, now, 'end_deal');
    assert.equal(tracks[1]?.trackRelease?.deals[0]?.period.end, '2026-11-15T00:00:00');
  });
});

describe('with the schemas of DDEX', { skip: withoutSchemas }, () => {
  const validator = createValidator(schemaDirectory);
  after(() => validator.dispose());

  for (const method of ['omit_deal', 'end_deal'] as const) {
    test(`a takedown by ${method} is valid, and consistent for a store that knows the release`, () => {
      const { root, errors } = validator.read(
        buildNewRelease(takeDown(exampleAlbum, now, method)).xml,
      );
      assert.deepEqual(errors, []);
      assert.deepEqual(checkMessage(root, { isKnownRelease: true }), []);
    });
  }

  test('a manifest is valid and says all that it was given', () => {
    const manifest: ManifestMessage = {
      kind: 'manifest',
      sender: { dpid: 'PADPIDA2025010101X', name: 'Example Distribution' },
      recipient: { dpid: 'PADPIDA2025020202Y' },
      createdAt: '2026-11-17T10:00:05Z',
      isTest: true,
      rootDirectory: 'N_20261117100000123',
      messages: [
        {
          messageId: 'msg_1',
          url: '123456789012/123456789012.xml',
          releaseIds: [{ icpn: '123456789012' }],
          deliveryType: 'TakeDown',
          productType: 'AudioProduct',
          hash: { algorithm: 'SHA-256', value: '9f86d081884c7d65' },
        },
      ],
    };
    const { xml, conveyance } = buildManifest(manifest);
    assert.deepEqual(validator.validate(xml), []);
    assert.match(xml, /<NumberOfMessages>1</);
    assert.deepEqual(conveyance().dropped, []);
  });
});
