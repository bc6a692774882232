/** Contributors and displayed artists (catalogue §3), and the credits that stores ask for. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CreditsFixture, openCreditsFixture, packA, refusalOf } from '../credits-fixture.ts';
import type { Json } from '../delivery-fixture.ts';
import { draft, trackCredits } from '../test-service.ts';

describe('credits', () => {
  let fixture: CreditsFixture;
  before(async () => {
    fixture = await openCreditsFixture();
  });
  after(() => fixture.close());

  describe('contract §5: GET /v1/contributor_roles', () => {
    test('is public, and lists roles and instruments with their names in DDEX', async () => {
      const { status, json } = await fixture.service.request(
        undefined,
        'GET',
        '/v1/contributor_roles',
      );
      assert.equal(status, 200);
      const roleOf = (wanted: string) => json.data.find(({ role }: Json) => role === wanted);
      assert.deepEqual(roleOf('mixing_engineer'), {
        role: 'mixing_engineer',
        name: 'Mixing engineer',
        group: 'engineering',
        ddex_role: 'MixingEngineer',
      });
      assert.deepEqual(
        ['vocalist', 'composer', 'producer'].map((role) => roleOf(role).group),
        ['performer', 'writer', 'production'],
      );
      assert.deepEqual(
        json.instruments.find(({ instrument }: Json) => instrument === 'bass_drum_kick'),
        {
          instrument: 'bass_drum_kick',
          name: 'Bass Drum Kick',
          ddex_instrument: 'BassDrum(Kick)',
        },
      );
    });

    test('every listed role and instrument is accepted', async () => {
      const { json } = await fixture.call('GET', '/contributor_roles');
      const contributors = (json.data as Json[]).map(({ role }) => ({ name: role, roles: [role] }));
      const { json: track, status } = await fixture.createTrack({ contributors });
      assert.equal(status, 201);
      const words = (json.instruments as Json[]).map(({ instrument }) => instrument);
      for (let from = 0; from < words.length; from += 500) {
        const players = Array.from({ length: 50 }, (_, i) => ({
          name: `P${i}`,
          roles: ['musician'],
          instruments: words.slice(from + i * 10, from + i * 10 + 10),
        }));
        const reply = await fixture.call('PATCH', `/tracks/${track.id}`, { contributors: players });
        assert.equal(reply.status, 200, reply.text);
      }
    });
  });

  describe('contributors of a track', () => {
    const ida = { name: 'Ida', roles: ['composer', 'lyricist'], ipi: '00045620792' };
    const mo = { name: 'Mo', roles: ['musician'], instruments: ['electric_guitar', 'piano'] };

    test('catalogue §3: in their order, none by default, replaced in full', async () => {
      const { json: track } = await fixture.createTrack({ contributors: [ida, mo] });
      assert.deepEqual(track.contributors, [ida, mo]);
      const path = `/tracks/${track.id}`;
      assert.deepEqual((await fixture.call('GET', path)).json, track);
      const renamed = await fixture.call('PATCH', path, { title: 'Day Drive' });
      assert.deepEqual(renamed.json.contributors, [ida, mo], 'left out: unchanged');
      const { json: replaced } = await fixture.call('PATCH', path, { contributors: [mo] });
      assert.deepEqual(replaced.contributors, [mo]);
      const { json: release } = await fixture.call('GET', `/releases/${track.release_id}`);
      await fixture.call('PATCH', path, { contributors: [mo] });
      const { json: same } = await fixture.call('GET', `/releases/${track.release_id}`);
      assert.equal(same.revision, release.revision, 'nothing changed');
      const { json: cleared } = await fixture.call('PATCH', path, { contributors: [] });
      assert.deepEqual(cleared.contributors, []);
    });

    const entries = (count: number, entry: object = { name: 'A', roles: ['performer'] }) =>
      Array.from({ length: count }, () => entry);
    const refused: readonly [what: string, contributors: unknown, field: string, issue: RegExp][] =
      [
        ['101 contributors', entries(101), 'contributors', /100/],
        ['no role', [{ name: 'A', roles: [] }], 'contributors[0].roles', /must not be empty/],
        ['roles left out', [{ name: 'A' }], 'contributors[0].roles', /is required/],
        ['a name left out', [{ roles: ['composer'] }], 'contributors[0].name', /is required/],
        [
          'a blank name',
          [{ name: ' ', roles: ['composer'] }],
          'contributors[0].name',
          /blank|visible/,
        ],
        [
          'a role twice',
          [{ name: 'A', roles: ['composer', 'composer'] }],
          'contributors[0].roles',
          /./,
        ],
        [
          'an unknown role',
          [{ name: 'A', roles: ['dancer'] }],
          'contributors[0].roles[0]',
          /composer/,
        ],
        [
          'a displayed role',
          [{ name: 'A', roles: ['main'] }],
          'contributors[0].roles[0]',
          /composer/,
        ],
        [
          'an unknown instrument',
          [ida, { ...mo, instruments: ['piano', 'triangle_of_doom'] }],
          'contributors[1].instruments[1]',
          /GET \/v1\/contributor_roles/,
        ],
        [
          'eleven instruments',
          [{ ...mo, instruments: entries(11, Object('piano')).map((_, i) => `p${i}`) }],
          'contributors[0].instruments',
          /10/,
        ],
        ['a malformed IPI', [{ ...ida, ipi: 'I-000' }], 'contributors[0].ipi', /./],
        ['an unknown field', [{ ...ida, role: 'composer' }], 'contributors[0].role', /known/],
        [
          'more than 16,000 characters',
          entries(40, { name: 'x'.repeat(500), roles: ['performer'] }),
          'contributors',
          /16000 characters/,
        ],
      ];
    for (const [what, contributors, field, issue] of refused) {
      test(`catalogue §3: ${what} → 422 ${field}`, async () => {
        const reply = await fixture.createTrack({ contributors });
        assert.equal(reply.status, 422, reply.text);
        const details: Json[] = reply.json.error.details;
        const detail = details.find((each) => each.field === field);
        assert.match(detail?.issue ?? reply.text, issue);
        assert.equal(detail?.field, field, reply.text);
      });
    }

    test('in a list of tracks the field has the index of its track', async () => {
      const release_id = await fixture.givenRelease();
      const track = { release_id, title: 'T' };
      const bad = { ...track, contributors: [{ ...mo, instruments: ['spoons_of_doom'] }] };
      const reply = await fixture.call('POST', '/tracks/bulk', { tracks: [track, bad] });
      assert.equal(refusalOf(reply)[2], 'tracks[1].contributors[0].instruments[0]');
    });

    test('catalogue §5: 100 tracks with 30 contributors each fit into a release and are validated', async () => {
      const release_id = await fixture.givenRelease({ type: 'album' });
      const contributors = Array.from({ length: 30 }, (_, i) => ({
        name: `Session Player ${i}`,
        roles: ['studio_musician', 'arranger'],
        instruments: ['violin', 'viola'],
      }));
      const tracks = Array.from({ length: 100 }, (_, i) => ({
        release_id,
        title: `Chapter ${i}`,
        contributors,
      }));
      const created = await fixture.call('POST', '/tracks/bulk', { tracks });
      assert.equal(created.status, 201, created.text.slice(0, 500));
      assert.equal(created.json.data[99].contributors.length, 30);
      const report = await fixture.call('POST', `/releases/${release_id}/validate`);
      assert.equal(report.status, 200);
      const missing = report.json.findings.filter(
        ({ rule }: Json) => rule === 'credits_production',
      );
      assert.equal(missing.length, 100);
    });
  });

  describe('catalogue §3: artists[].role is displayed: main, featured or remixer', () => {
    const shown = ['main', 'featured', 'remixer'].map((role) => ({ name: `A ${role}`, role }));

    test('the three are accepted on releases and tracks', async () => {
      const { json, status } = await fixture.call('POST', '/releases', draft({ artists: shown }));
      assert.deepEqual([status, json.artists], [201, shown]);
      const track = await fixture.createTrack({ artists: shown });
      assert.deepEqual([track.status, track.json.artists], [201, shown]);
    });

    const issueOf = (field: string) =>
      `${field} must be one of: main, featured, remixer; send other credits in contributors of the track.`;
    for (const role of ['composer', 'lyricist', 'producer', 'performer']) {
      test(`${role} → 422, which says where credits belong`, async () => {
        const artists = [shown[0], { name: 'B', role }];
        const field = 'artists[1].role';
        const refused = [422, 'invalid_field', field, issueOf(field)];
        assert.deepEqual(
          refusalOf(await fixture.call('POST', '/releases', draft({ artists }))),
          refused,
        );
        assert.deepEqual(refusalOf(await fixture.createTrack({ artists })), refused);
        const { json: track } = await fixture.createTrack();
        const patched = [`/releases/${track.release_id}`, `/tracks/${track.id}`];
        for (const path of patched) {
          assert.deepEqual(
            refusalOf(await fixture.call('PATCH', path, { artists })),
            refused,
            path,
          );
        }
        const tracks = [{ release_id: track.release_id, title: 'T', artists }];
        const bulk = await fixture.call('POST', '/tracks/bulk', { tracks });
        const path = `tracks[0].${field}`;
        assert.deepEqual(refusalOf(bulk), [422, 'invalid_field', path, issueOf(path)]);
      });
    }
  });

  describe('catalogue §3: rule pack A', () => {
    const groupsMissing = async (contributors: readonly object[]) =>
      (await fixture.findingsOf((await fixture.givenComplete({ contributors })).id))
        .filter(({ severity }) => severity === 'error')
        .map(({ rule, applies_to, pointer }) => [rule, pointer, applies_to]);

    test('requires a performer, a writer, and one of production or engineering', async () => {
      const missing = (...groups: readonly string[]) =>
        groups.map((group) => [`credits_${group}`, '/tracks/0/contributors', packA]);
      assert.deepEqual(await groupsMissing([]), missing('performer', 'writer', 'production'));
      assert.deepEqual(
        await groupsMissing([{ name: 'A', roles: ['vocalist', 'composer'] }]),
        missing('production'),
      );
      assert.deepEqual(
        await groupsMissing([{ name: 'A', roles: ['mastering_engineer'] }]),
        missing('performer', 'writer'),
      );
      assert.deepEqual(await groupsMissing(trackCredits.contributors), []);
    });

    test('its stores reject a release without credits when it is delivered; the others take it', async () => {
      const { id: release_id } = await fixture.givenComplete({ contributors: [] });
      await fixture.call('POST', `/releases/${release_id}/submit`);
      await fixture.runUntilIdle();
      const stores = ['aurora', 'beatlane', 'cascade'];
      const { json } = await fixture.post('', {
        release_id,
        stores,
        territory_codes: ['WORLDWIDE'],
      });
      await fixture.runUntilIdle();
      const delivery = await fixture.get(json.id);
      assert.deepEqual(
        delivery.stores.map((store: Json) => [store.status, store.rejection_code]),
        [
          ['rejected', 'review_rejected'],
          ['in_progress', null],
          ['in_progress', null],
        ],
      );
      assert.match(delivery.stores[0].rejection_reason, /performer/);
    });

    test('a joined name of contributors is separated by its fix', async () => {
      const { id, trackId } = await fixture.givenComplete({
        contributors: [...trackCredits.contributors, { name: 'A & B', roles: ['engineer'] }],
      });
      const joined = (await fixture.findingsOf(id)).find(
        ({ rule }) => rule === 'contributor_joined',
      );
      assert.equal(joined.pointer, '/tracks/0/contributors');
      const fixed = await fixture.call('POST', `/releases/${id}/fixes`, {
        finding_ids: [joined.id],
      });
      assert.equal(fixed.status, 200, fixed.text);
      const { json } = await fixture.call('GET', `/tracks/${trackId}`);
      assert.deepEqual(json.contributors, [
        ...trackCredits.contributors,
        { name: 'A', roles: ['engineer'] },
        { name: 'B', roles: ['engineer'] },
      ]);
    });
  });
});
