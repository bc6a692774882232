/** Which release a partner's ERN message is about, at the same moment and later: contract §4, §5; spec §9 (2024-02-01). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildNewRelease } from '@tonearm/ern';
import { gs1CheckDigit } from '../../src/kernel/gs1.ts';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { album, newIsrc, newUpc, purgeOf } from '../ern-messages.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';
import { draft, type OrgClient, type Reply } from '../test-service.ts';

let fixture: RightsFixture;
let partner: OrgClient;
before(async () => {
  fixture = await openRightsFixture('2026-11-16T12:00:00.000Z');
  partner = await fixture.service.givenOrganization({ tier: 'enterprise' });
});
after(() => fixture.close());

let nextEan = 400_000_770_001;
const newEan = (): string => {
  const body = String(nextEan++);
  return `${body}${gs1CheckDigit(body)}`;
};
const sendXml = (xml: string, key = partner.key): Promise<Reply> =>
  fixture.service.request(key, 'POST', '/v1/sandbox/ern', xml, {
    'content-type': 'application/xml',
  });
const sent = async (xml: string): Promise<Json> => {
  const { status, json, text } = await sendXml(xml);
  assert.equal(status, 200, text);
  return json;
};
const draftsWith = async (code: string): Promise<Json[]> => {
  const { json } = await partner.call('GET', '/v1/releases?limit=100');
  return json.data.filter(({ upc, ean }: Json) => upc === code || ean === code);
};

describe('contract §4: two messages about one new release at the same moment', () => {
  for (const [name, newCode] of Object.entries({ EAN: newEan, UPC: newUpc })) {
    test(`with one ${name}: one creates the draft, the others revise it`, async () => {
      for (let round = 0; round < 3; round++) {
        const code = newCode();
        const isrc = newIsrc();
        const titles = ['Made Up Seas', 'Made Up Lakes', 'Made Up Rivers'];
        const results = await Promise.all(
          titles.map((title) => sent(buildNewRelease(album(code, [{ isrc }], { title })).xml)),
        );
        assert.deepEqual(results.map(({ action }): string => action).toSorted(), [
          'created',
          'revised',
          'revised',
        ]);
        assert.equal(new Set(results.map((result) => result.release_id)).size, 1);
        assert.equal((await draftsWith(code)).length, 1);
      }
    });
  }
});

describe('spec §9 (2024-02-01): PurgeReleaseMessage', () => {
  const givenDraft = async (ean: string): Promise<string> => {
    const body = draft({ ean, release_date: '2027-06-04' });
    const { status, json, text } = await partner.call('POST', '/v1/releases', body);
    assert.equal(status, 201, text);
    return json.id;
  };

  test('deletes every draft with the code, and each has its row in the audit log', async () => {
    const ean = newEan();
    const ids = [await givenDraft(ean), await givenDraft(ean)];
    const other = await givenDraft(newEan());
    const result = await sent(purgeOf(ean));
    assert.deepEqual([result.action, result.release_id], ['deleted', ids[1]]);
    assert.deepEqual(await draftsWith(ean), []);
    assert.equal((await partner.call('GET', `/v1/releases/${other}`)).status, 200);
    await fixture.service.sequenceEvents();
    const { json: log } = await partner.call('GET', '/v1/audit_log?action=sandbox.ern.receive');
    const audited = JSON.stringify(log.data);
    for (const id of ids) assert.ok(audited.includes(id), audited);
    assert.deepEqual(codeOf(await sendXml(purgeOf(ean))), [422, 'invalid_field'], 'unknown now');
  });

  test('takes down what was delivered, and deletes a draft with the same code', async () => {
    const { delivery, album: given } = await fixture.givenAlbumDelivery({ caller: partner });
    const { json: release } = await partner.call('GET', `/v1/releases/${given.id}`);
    const id = await givenDraft(`0${release.upc}`);
    const result = await sent(purgeOf(release.upc));
    assert.deepEqual(
      [result.action, result.release_id, result.delivery_ids],
      ['taken_down', given.id, [delivery.id]],
    );
    assert.equal((await partner.call('GET', `/v1/releases/${id}`)).status, 404);
  });
});

describe('contract §5: "sandbox/* → `sandbox:write`"', () => {
  const keyWith = async (...scopes: string[]): Promise<string> => {
    const { status, json, text } = await partner.call('POST', '/v1/api_keys', {
      name: 'k',
      scopes,
    });
    assert.equal(status, 201, text);
    return json.secret ?? json.key;
  };

  test('this scope suffices, as for every other route of the sandbox', async () => {
    const xml = buildNewRelease(album(newUpc())).xml;
    assert.equal((await sendXml(xml, await keyWith('sandbox:write'))).json.action, 'created');
  });

  test('the scopes of the resources do not stand in for it', async () => {
    const xml = buildNewRelease(album(newUpc())).xml;
    const key = await keyWith('releases:write', 'tracks:write', 'deliveries:write');
    assert.deepEqual(codeOf(await sendXml(xml, key)), [403, 'insufficient_scope']);
  });
});

describe('contract §5, §7: the assets of a message', () => {
  const sentWith = (files: object) =>
    partner.call('POST', '/v1/sandbox/ern', {
      message: buildNewRelease(album(newUpc())).xml,
      files,
    });

  test('"Another organization\'s id answers exactly as an unknown id"', async () => {
    const stranger = await fixture.service.givenOrganization({ tier: 'enterprise' });
    const foreign = await fixture.service.givenAsset(stranger, 'audio');
    const unknown = foreign.replace(/.{4}$/, (end) => (end === '0000' ? '0001' : '0000'));
    const [first, second] = [
      await sentWith({ 'resources/01.wav': foreign }),
      await sentWith({ 'resources/01.wav': unknown }),
    ];
    assert.equal(first.status, 422, first.text);
    assert.deepEqual(codeOf(first), codeOf(second));
    assert.deepEqual(
      first.json.error.details.map(({ issue }: Json) => issue.replaceAll(foreign, 'ID')),
      second.json.error.details.map(({ issue }: Json) => issue.replaceAll(unknown, 'ID')),
    );
  });

  test('an asset of another type is refused, and nothing is created', async () => {
    const artwork = await fixture.service.givenAsset(partner, 'artwork');
    const countBefore = (await partner.call('GET', '/v1/releases?limit=100')).json.data.length;
    const reply = await sentWith({ 'resources/01.wav': artwork });
    assert.deepEqual(codeOf(reply), [422, 'invalid_field'], reply.text);
    const { json } = await partner.call('GET', '/v1/releases?limit=100');
    assert.equal(json.data.length, countBefore);
  });
});

describe('contract §7: "`payload_too_large` (256 KiB; 1 MiB on bulk and ERN)"', () => {
  const bytesMax = 1_048_576;
  const messageOf = (bytes: number): string => {
    const xml = buildNewRelease(album(newUpc())).xml;
    return xml + ' '.repeat(bytes - Buffer.byteLength(xml));
  };

  test('a message of 1 MiB is read, and one byte more is refused', async () => {
    assert.equal((await sendXml(messageOf(bytesMax))).json.action, 'created');
    assert.deepEqual(codeOf(await sendXml(messageOf(bytesMax + 1))), [413, 'payload_too_large']);
  });

  test('the same limit holds for JSON', async () => {
    const { text } = await partner.call('POST', '/v1/sandbox/ern', {
      message: messageOf(bytesMax),
    });
    assert.match(text, /payload_too_large/);
  });
});
