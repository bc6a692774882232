/** ERN messages of enterprise partners in the sandbox: spec §9 (2024-02-01), contract §4, §5, §7, §8. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { buildNewRelease, type Deal, type NewReleaseMessage, takeDown } from '@tonearm/ern';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { album, download, newIsrc, newUpc, purgeOf, streaming } from '../ern-messages.ts';
import { openRightsFixture, type RightsFixture } from '../rights-fixture.ts';
import { openTestService, type OrgClient, type Reply } from '../test-service.ts';

const monday = '2026-11-16T12:00:00.000Z';

describe('contract §4: POST /v1/sandbox/ern', () => {
  let fixture: RightsFixture;
  let partner: OrgClient;
  before(async () => {
    fixture = await openRightsFixture(monday);
    partner = await fixture.service.givenOrganization({ tier: 'enterprise' });
  });
  after(() => fixture.close());

  const sendXml = (xml: string, caller = partner, headers = {}): Promise<Reply> =>
    fixture.service.request(caller.key, 'POST', '/v1/sandbox/ern', xml, {
      'content-type': 'application/xml',
      ...headers,
    });
  const accepted = async (message: NewReleaseMessage): Promise<Json> => {
    const { status, json, text } = await sendXml(buildNewRelease(message).xml);
    assert.equal(status, 200, text);
    return json;
  };
  const tracksOf = async (releaseId: string): Promise<Json[]> =>
    (await partner.call('GET', `/v1/releases/${releaseId}/tracks`)).json.data;

  test('a NewReleaseMessage becomes a draft with its tracks; audio stays empty', async () => {
    const upc = newUpc();
    const result = await accepted(album(upc));
    assert.deepEqual(
      [result.action, result.ern_version, result.delivery_ids],
      ['created', '4.3.2', []],
    );
    const { json: release } = await partner.call('GET', `/v1/releases/${result.release_id}`);
    assert.deepEqual(release, result.release);
    assert.deepEqual(
      [
        release.status,
        release.upc,
        release.title,
        release.label,
        release.release_date,
        release.p_line,
      ],
      ['draft', upc, 'Made Up Seas', 'Example Records', '2027-01-15', '2027 Example Records'],
    );
    assert.deepEqual(release.use_types, ['ad_supported_stream', 'subscription_stream', 'download']);
    assert.deepEqual([release.type, release.territories], ['album', ['WORLD']]);
    const tracks = await tracksOf(release.id);
    assert.deepEqual(
      tracks.map((track) => [track.id, track.position, track.audio_asset_id, track.use_types]),
      result.tracks.map((track: Json, i: number) => [track.track_id, i + 1, null, null]),
    );
    assert.deepEqual(tracks[0].contributors, [{ name: 'Ada Writer', roles: ['composer'] }]);
    assert.equal(result.tracks[0].file_uri, 'resources/01.wav');
    const [event] = await fixture.eventsOf(release.id, partner);
    assert.equal(event.type, 'release.created');
    const { json: log } = await partner.call('GET', '/v1/audit_log?action=sandbox.ern.receive');
    assert.ok(JSON.stringify(log.data).includes(release.id));
  });

  test('files maps URIs to assets, in a JSON body', async () => {
    const [audio, cover] = await Promise.all([
      fixture.service.givenAsset(partner, 'audio'),
      fixture.service.givenAsset(partner, 'artwork'),
    ]);
    const message = buildNewRelease(album(newUpc())).xml;
    const files = { 'resources/01.wav': audio, 'resources/cover.jpg': cover };
    const { status, json, text } = await partner.call('POST', '/v1/sandbox/ern', {
      message,
      files,
    });
    assert.equal(status, 200, text);
    assert.equal(json.release.artwork_asset_id, cover);
    assert.deepEqual(
      json.tracks.map((track: Json) => track.audio_asset_id),
      [audio, null],
    );
    const other = await partner.call('POST', '/v1/sandbox/ern', {
      message,
      files: { 'x.wav': audio },
    });
    assert.deepEqual(codeOf(other), [422, 'invalid_field']);
    assert.equal(other.json.error.details[0].field, 'files.x.wav');
  });

  test('the next message replaces the release: tracks change, are added and are removed', async () => {
    const upc = newUpc();
    const [kept, removed, added] = [newIsrc(), newIsrc(), newIsrc()];
    const first = await accepted(album(upc, [{ isrc: removed }, { isrc: kept, title: 'Kept' }]));
    const second = await accepted(
      album(upc, [{ isrc: kept, title: 'Kept, Renamed' }, { isrc: added }], { title: 'New Title' }),
    );
    assert.deepEqual([second.action, second.release_id], ['revised', first.release_id]);
    assert.ok(second.release.revision > first.release.revision);
    assert.equal(second.release.title, 'New Title');
    const tracks = await tracksOf(first.release_id);
    assert.equal(tracks.length, 2);
    assert.deepEqual([tracks[0].id, tracks[0].title], [first.tracks[1].track_id, 'Kept, Renamed']);
    const repeated = await accepted(
      album(
        upc,
        tracks.map((track) => ({ isrc: track.isrc.replaceAll('-', ''), title: track.title })),
        { title: 'New Title' },
      ),
    );
    assert.deepEqual(
      [repeated.action, repeated.release.revision],
      ['unchanged', second.release.revision],
    );
  });

  test('rights of a track narrow those of the release, never widen them', async () => {
    const onlyUs: Deal = { ...download, territories: { included: ['US'] } };
    const {
      release_id: id,
      release,
      findings,
    } = await accepted(album(newUpc(), [{ deals: [streaming] }, { deals: [onlyUs] }]));
    assert.equal(release.excluded_territories, null);
    const [streamed, sold] = await tracksOf(id);
    assert.deepEqual(streamed.use_types, ['ad_supported_stream', 'subscription_stream']);
    assert.deepEqual([sold.use_types, sold.territory], [['download'], ['US']]);
    assert.deepEqual(findings, []);
    const narrowed = await accepted(album(newUpc(), [{}], { deals: [streaming, onlyUs] }));
    assert.deepEqual(narrowed.release.territories, ['US']);
    assert.match(narrowed.findings[0].message, /different territories/);
    assert.equal(narrowed.findings[0].xpath, '/ern:NewReleaseMessage/DealList');
  });

  test('a message without deals takes a known release down, and is refused for an unknown one', async () => {
    const { delivery, album: given } = await fixture.givenAlbumDelivery({ caller: partner });
    const { json: release } = await partner.call('GET', `/v1/releases/${given.id}`);
    const gone = buildNewRelease(takeDown(album(release.upc), new Date(monday))).xml;
    const { status, json, text } = await sendXml(gone);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [json.action, json.release_id, json.delivery_ids],
      ['taken_down', given.id, [delivery.id]],
    );
    const { json: taken } = await partner.call('GET', `/v1/deliveries/${delivery.id}`);
    assert.notEqual(taken.stores[0].takedown_requested_at, null);
    const again = await sendXml(gone);
    assert.deepEqual([again.status, again.json.delivery_ids], [200, []], 'nothing is left to do');
    const unknown = await sendXml(buildNewRelease(takeDown(album(newUpc()), new Date(monday))).xml);
    assert.deepEqual(codeOf(unknown), [422, 'invalid_field']);
    assert.equal(unknown.json.error.details[0].field, '/ern:NewReleaseMessage/DealList');
    assert.match(unknown.json.error.details[0].issue, /^NoDealInNewReleaseMessage/);
  });

  test('a PurgeReleaseMessage deletes a draft, and takes down what was delivered', async () => {
    const upc = newUpc();
    const { release_id: id } = await accepted(album(upc));
    const deleted = await sendXml(purgeOf(upc));
    assert.deepEqual(
      [deleted.json.action, deleted.json.release_id, deleted.json.release],
      ['deleted', id, null],
    );
    assert.equal((await partner.call('GET', `/v1/releases/${id}`)).status, 404);
    assert.deepEqual(codeOf(await sendXml(purgeOf(upc))), [422, 'invalid_field'], 'unknown now');
    const { delivery, album: given } = await fixture.givenAlbumDelivery({ caller: partner });
    const { json: release } = await partner.call('GET', `/v1/releases/${given.id}`);
    const { json } = await sendXml(purgeOf(release.upc));
    assert.deepEqual([json.action, json.delivery_ids], ['taken_down', [delivery.id]]);
  });

  test('another organization does not see the release: its message creates a draft of its own', async () => {
    const message = album(newUpc());
    const own = await accepted(message);
    const stranger = await fixture.service.givenOrganization({ tier: 'enterprise' });
    const { json } = await sendXml(buildNewRelease(message).xml, stranger);
    assert.equal(json.action, 'created');
    assert.notEqual(json.release_id, own.release_id);
  });

  test('a refused message changes nothing, and names the elements by XPath', async () => {
    const count = async () =>
      (await partner.call('GET', '/v1/releases?limit=100')).json.data.length;
    const countBefore = await count();
    const xml = buildNewRelease(album(newUpc())).xml;
    const refused = await sendXml(xml.replaceAll(/QZERN26(\d{5})/g, 'QZ-ERN-26-$1'));
    assert.deepEqual(codeOf(refused), [422, 'invalid_field']);
    for (const { field, issue } of refused.json.error.details) {
      assert.match(field, /^\/ern:NewReleaseMessage\//);
      assert.match(issue, /^[A-Z][A-Za-z]+: /);
    }
    const long = await sendXml(xml.replaceAll('Made Up Seas', 'x'.repeat(501)));
    assert.deepEqual(codeOf(long), [422, 'invalid_field']);
    assert.deepEqual(
      long.json.error.details.map(({ field }: Json) => field),
      ['/ern:NewReleaseMessage/ReleaseList/Release/DisplayTitle'],
    );
    assert.equal(await count(), countBefore);
  });

  const item = /<ResourceGroupContentItem>.*?<\/ResourceGroupContentItem>/s;
  const deal = /<Deal>.*?<\/Deal>/s;
  const tooMuch: readonly (readonly [what: string, xml: () => string, issue: RegExp])[] = [
    [
      'a recording that is listed twice',
      () => buildNewRelease(album(newUpc())).xml.replace(item, '$&$&'),
      /^NewReleaseMessageInvalid: A ResourceGroup lists the same SoundRecording twice/,
    ],
    [
      '501 tracks',
      () =>
        buildNewRelease(
          album(
            newUpc(),
            Array.from({ length: 501 }, () => ({ isrc: newIsrc() })),
          ),
        ).xml,
      /^NewReleaseMessageInvalid: The release has 501 tracks; at most 500 are allowed/,
    ],
    [
      '101 deals of a track',
      () =>
        buildNewRelease(album(newUpc())).xml.replace(deal, (one) =>
          Array.from({ length: 101 }, (_, i) =>
            one
              .replace(/<TerritoryCode>.*<\/TerritoryCode>/s, '<TerritoryCode>DE</TerritoryCode>')
              .replace(
                '2027-01-15',
                new Date(Date.UTC(2027, 0, 15 + i)).toISOString().slice(0, 10),
              ),
          ).join(''),
        ),
      /^NewReleaseMessageInvalid: A release or track has 10\d deals; at most 100 are allowed/,
    ],
  ];
  for (const [what, xml, expected] of tooMuch) {
    test(`contract §7: ${what} → 422, and nothing is created`, async () => {
      // Without the space between elements, 501 tracks are less than 1 MiB.
      const message = xml().replaceAll(/>\s+</g, '><');
      assert.ok(message.length < 1024 * 1024);
      const refused = await sendXml(message);
      assert.deepEqual(codeOf(refused), [422, 'invalid_field'], refused.text);
      assert.match(refused.json.error.details[0].issue, expected);
      const { data } = (await partner.call('GET', '/v1/releases?limit=1')).json;
      const [upc] = /(?<=<ICPN>)\d+/.exec(message) ?? [];
      assert.notEqual(data[0]?.upc, upc);
    });
  }

  test('contract §7: of thousands of violations details list 100', async () => {
    const parties = Array.from(
      { length: 5_000 },
      (_, i) => `<Party><PartyReference>X${i}</PartyReference><PartyName/></Party>`,
    ).join('');
    const { xml } = buildNewRelease(album(newUpc()));
    const refused = await sendXml(xml.replace('</PartyList>', `${parties}${parties}</PartyList>`));
    assert.deepEqual(codeOf(refused), [422, 'invalid_field']);
    assert.equal(refused.json.error.details.length, 100);
    assert.match(refused.json.error.message, /the first 100 of \d+/);
  });

  test('contract §7: broken and hostile XML is 400 invalid_request', async () => {
    const hostile = [
      '<a>',
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
      '<a>'.repeat(20_000),
    ];
    for (const xml of hostile)
      assert.deepEqual(codeOf(await sendXml(xml)), [400, 'invalid_request']);
    const latin = await fixture.service.request(
      partner.key,
      'POST',
      '/v1/sandbox/ern',
      Buffer.from([0x3c, 0xe9, 0x3e]),
      { 'content-type': 'application/xml' },
    );
    assert.deepEqual(codeOf(latin), [400, 'invalid_request']);
    assert.deepEqual(codeOf(await sendXml('<a/>')), [422, 'invalid_field'], 'another document');
    const odd = buildNewRelease(album(newUpc()))
      .xml.replaceAll('resources/01.wav', 'constructor')
      .replace('<ReleaseType>Album<', '<ReleaseType>constructor<');
    assert.equal((await sendXml(odd)).status, 200, 'names of JavaScript are names like others');
  });

  test('contract §7: 413 above 1 MiB, 415 for another media type', async () => {
    const over = await sendXml(`<a>${'x'.repeat(1024 * 1024)}</a>`);
    assert.deepEqual(codeOf(over), [413, 'payload_too_large']);
    const csv = await sendXml('a,b', partner, { 'content-type': 'text/csv' });
    assert.deepEqual(codeOf(csv), [415, 'unsupported_media_type']);
  });

  test('contract §8: a repeated key has the same answer, and creates nothing twice', async () => {
    const xml = buildNewRelease(album(newUpc())).xml;
    const headers = { 'idempotency-key': randomUUID() };
    const first = await sendXml(xml, partner, headers);
    const second = await sendXml(xml, partner, headers);
    assert.equal(first.text, second.text);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    const other = await sendXml(buildNewRelease(album(newUpc())).xml, partner, headers);
    assert.deepEqual(codeOf(other), [422, 'idempotency_key_reused']);
  });

  test('contract §4, §5: enterprise only, and not in live', async () => {
    const growth = await fixture.service.givenOrganization({ tier: 'growth' });
    const xml = buildNewRelease(album(newUpc())).xml;
    assert.deepEqual(codeOf(await sendXml(xml, growth)), [403, 'tier_not_allowed']);
    const live = await openTestService({ environment: 'live' });
    try {
      const caller = await live.givenOrganization({ tier: 'enterprise' });
      const reply = await live.request(caller.key, 'POST', '/v1/sandbox/ern', xml, {
        'content-type': 'application/xml',
      });
      assert.deepEqual(codeOf(reply), [404, 'route_not_found']);
    } finally {
      await live.close();
    }
  });
});
