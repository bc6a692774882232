/** The use of AI (catalogue §4), and credits in snapshots. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CreditsFixture, openCreditsFixture, packA, refusalOf } from '../credits-fixture.ts';
import { draft, trackCredits } from '../test-service.ts';

describe('AI use', () => {
  let fixture: CreditsFixture;
  before(async () => {
    fixture = await openCreditsFixture();
  });
  after(() => fixture.close());

  describe('catalogue §4: the use of AI', () => {
    test('is declared for artwork, recording and composition; what is left out is not declared', async () => {
      const release = await fixture.call(
        'POST',
        '/releases',
        draft({ ai_use: { artwork: 'partly' } }),
      );
      assert.deepEqual(release.json.ai_use, { artwork: 'partly' });
      const { json: track } = await fixture.createTrack({ ai_use: { recording: 'all' } });
      assert.deepEqual(track.ai_use, { recording: 'all', composition: null });
      const path = `/tracks/${track.id}`;
      const { json: next } = await fixture.call('PATCH', path, { ai_use: { composition: 'none' } });
      assert.deepEqual(next.ai_use, { recording: null, composition: 'none' }, 'replaced in full');
      assert.equal((await fixture.call('PATCH', path, { ai_use: null })).json.ai_use, null);
      const releasePath = `/releases/${release.json.id}`;
      assert.deepEqual((await fixture.call('PATCH', releasePath, { ai_use: {} })).json.ai_use, {
        artwork: null,
      });
    });

    test('other words and other parts are refused', async () => {
      const words = 'ai_use.recording must be one of: none, partly, all.';
      assert.deepEqual(refusalOf(await fixture.createTrack({ ai_use: { recording: 'some' } })), [
        422,
        'invalid_field',
        'ai_use.recording',
        words,
      ]);
      const artwork = await fixture.createTrack({ ai_use: { artwork: 'none' } });
      assert.deepEqual(refusalOf(artwork).slice(0, 3), [422, 'unknown_field', 'ai_use.artwork']);
      const release = await fixture.call('POST', '/releases', draft({ ai_use: { artwork: true } }));
      assert.deepEqual(refusalOf(release).slice(0, 3), [422, 'invalid_field', 'ai_use.artwork']);
    });

    test('undeclared → a warning at the stores with packs A and B, for the release and for each track', async () => {
      const { id } = await fixture.givenComplete({ ai_use: { recording: 'none' } });
      await fixture.call('PATCH', `/releases/${id}`, { ai_use: null });
      const undeclared = (await fixture.findingsOf(id)).filter(
        ({ rule }) => rule === 'ai_use_undeclared',
      );
      const stores = [...packA, 'beatlane', 'glasshouse', 'jangala'].toSorted();
      assert.deepEqual(
        undeclared.map((each) => [each.severity, each.pointer, each.applies_to.toSorted()]),
        [
          ['warning', '/ai_use', stores],
          ['warning', '/tracks/0/ai_use', stores],
        ],
      );
      assert.match(undeclared[1].message, /^ai_use\.composition is not declared\./);
    });

    test('a recording that is all AI excludes performers: an error, with a fix', async () => {
      const { id, trackId } = await fixture.givenComplete({
        ai_use: { recording: 'all', composition: 'none' },
      });
      const [error, ...more] = (await fixture.findingsOf(id)).filter(
        ({ severity }) => severity === 'error',
      );
      assert.deepEqual([error.rule, more], ['ai_use_performers', []]);
      assert.equal(error.measured, 'Aurora Díaz');
      const fixed = await fixture.call('POST', `/releases/${id}/fixes`, {
        finding_ids: [error.id],
      });
      assert.equal(fixed.status, 200, fixed.text);
      const { json } = await fixture.call('GET', `/tracks/${trackId}`);
      assert.deepEqual(json.ai_use, { recording: 'partly', composition: 'none' });
    });

    test('without performers it is accepted: rule pack A then asks for none', async () => {
      const { id } = await fixture.givenComplete({
        ai_use: { recording: 'all', composition: 'all' },
        contributors: [{ name: 'A', roles: ['composer', 'producer'] }],
      });
      const rules = (await fixture.findingsOf(id)).map(({ rule }) => rule);
      assert.deepEqual(
        rules.filter((rule) => /^(credits|ai_use)_/.test(rule)),
        ['credits_missing'],
      );
    });
  });

  describe('snapshots', () => {
    test('contain contributors and the use of AI', async () => {
      const delivery = await fixture.givenDelivery({ stores: ['cascade'] });
      const [{ snapshot } = assert.fail()] = fixture.messagesOf(delivery.id);
      assert.deepEqual(snapshot.tracks[0]?.contributors, trackCredits.contributors);
      assert.deepEqual(snapshot.tracks[0]?.aiUse, trackCredits.ai_use);
      assert.deepEqual(snapshot.release.aiUse, { artwork: 'none' });
    });

    test('from before contributors are read as snapshots without any', async () => {
      const id = await fixture.givenApprovedRelease();
      await fixture.service.query(`
        update release_snapshots
           set snapshot = jsonb_set(snapshot #- '{release,aiUse}', '{tracks}',
                 (select jsonb_agg(track - 'contributors' - 'aiUse')
                    from jsonb_array_elements(snapshot -> 'tracks') track))
      `);
      const body = { release_id: id, stores: ['cascade'], territory_codes: ['WORLDWIDE'] };
      const { json } = await fixture.post('', body);
      await fixture.runUntilIdle();
      const [{ snapshot } = assert.fail()] = fixture.messagesOf(json.id);
      assert.deepEqual(snapshot.tracks[0]?.contributors, []);
      assert.deepEqual([snapshot.tracks[0]?.aiUse, snapshot.release.aiUse], [null, null]);
    });
  });
});
