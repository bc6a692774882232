/** The page of an artist at a store: in snapshots, updates and preflight (catalogue §3). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  rejectedAnswer,
} from '../delivery-fixture.ts';
import { completeDraft, type OrgClient } from '../test-service.ts';

describe('artist profiles', () => {
  let fixture: DeliveryFixture;
  let label: OrgClient;
  before(async () => {
    fixture = await openDeliveryFixture();
    label = fixture.label;
  });
  after(() => fixture.close());

  const createArtist = async (fields: object = {}, caller = label): Promise<Json> => {
    const reply = await caller.call('POST', '/v1/artists', { name: 'Ida Berg', ...fields });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const patchArtist = async (id: string, fields: object): Promise<void> => {
    const reply = await label.call('PATCH', `/v1/artists/${id}`, fields);
    assert.equal(reply.status, 200, reply.text);
  };
  const by = (...artists: readonly Json[]) => ({
    artists: artists.map(({ id }) => ({ artist_id: id, role: 'main' })),
  });
  const delivered = async (release: object, stores = ['aurora']): Promise<Json> => {
    const delivery = await fixture.givenDelivery({ stores, release });
    return fixture.answer(delivery, Object.fromEntries(stores.map((id) => [id, deliveredAnswer])));
  };
  const latestArtists = (id: string) => fixture.messagesOf(id).at(-1)?.snapshot.artists;

  test('catalogue §3: the snapshot that a store is sent has what it needs of the artist', async () => {
    const artist = await createArtist({
      isni: '0000000000000001',
      ipi: '00000000001',
      localized_names: { ja: 'イダ' },
      store_profiles: { aurora: '1' },
    });
    const { id } = await delivered(by(artist));
    assert.deepEqual(latestArtists(id), [
      {
        id: artist.id,
        isni: '0000000000000001',
        ipi: '00000000001',
        localizedNames: { ja: 'イダ' },
        storeProfiles: { aurora: '1' },
      },
    ]);
  });

  test('catalogue §3: fix a profile, update, and the message of the store has the new profile', async () => {
    const artist = await createArtist({ store_profiles: { aurora: 'wrong' } });
    const delivery = await delivered(by(artist));
    const update = () => fixture.post(`/${delivery.id}/update`);
    assert.deepEqual(codeOf(await update()), [409, 'nothing_changed']);
    await patchArtist(artist.id, { name: 'Renamed' });
    assert.deepEqual(codeOf(await update()), [409, 'nothing_changed'], 'a name is the credit’s');

    await patchArtist(artist.id, { store_profiles: { aurora: 'right' } });
    const earlier = await fixture.releaseOf(delivery.release_id);
    const dryRun = await fixture.post('/dry_run', { delivery_id: delivery.id });
    assert.deepEqual([dryRun.status, dryRun.json.revision], [200, earlier.revision + 1]);
    const unchanged = await fixture.releaseOf(delivery.release_id);
    assert.equal(unchanged.revision, earlier.revision, 'a dry run changes nothing');

    const updated = await update();
    assert.equal(updated.status, 200, updated.text);
    await fixture.runUntilIdle();
    assert.deepEqual(latestArtists(delivery.id)?.[0]?.storeProfiles, { aurora: 'right' });
    const later = await fixture.releaseOf(delivery.release_id);
    assert.equal(later.revision, earlier.revision + 1);
    assert.deepEqual(later.artists, earlier.artists);
    const path = `/v1/releases/${delivery.release_id}/revisions/${later.revision}`;
    assert.deepEqual((await label.call('GET', path)).json.changed_fields, ['artists']);
    const { data } = await fixture.timelineOf(delivery.id);
    const entry = data.find(({ type }: Json) => type === 'update');
    // The track has the artists of its release.
    assert.deepEqual(entry?.details?.changes ?? entry?.changes, [
      { pointer: '/artists/0/store_profiles/aurora', before: 'wrong', after: 'right' },
      { pointer: '/tracks/0/artists/0/store_profiles/aurora', before: 'wrong', after: 'right' },
    ]);

    await fixture.answer(delivery, { aurora: deliveredAnswer });
    const store = (await fixture.get(delivery.id)).stores[0];
    assert.deepEqual([store.status, store.revision], ['delivered', later.revision]);
    assert.deepEqual(codeOf(await update()), [409, 'nothing_changed'], 'nothing more to send');
  });

  test('an entry’s own profile wins, so a change of the artist’s is nothing to a store', async () => {
    const artist = await createArtist({ store_profiles: { aurora: '1' } });
    const entry = { artist_id: artist.id, role: 'main', store_profiles: { aurora: 'own' } };
    const delivery = await delivered({ artists: [entry] });
    await patchArtist(artist.id, { store_profiles: { aurora: '2' } });
    assert.deepEqual(codeOf(await fixture.post(`/${delivery.id}/update`)), [
      409,
      'nothing_changed',
    ]);
  });

  test('a merge is sent when the artist that remains has another profile', async () => {
    const [one, two] = [
      await createArtist(),
      await createArtist({ store_profiles: { aurora: '9' } }),
    ];
    const delivery = await delivered(by(one));
    await label.call('POST', `/v1/artists/${one.id}/merge`, { into: two.id });
    const updated = await fixture.post(`/${delivery.id}/update`);
    assert.equal(updated.status, 200, updated.text);
    await fixture.runUntilIdle();
    assert.deepEqual(latestArtists(delivery.id), [
      { id: two.id, isni: null, ipi: null, localizedNames: {}, storeProfiles: { aurora: '9' } },
    ]);
    await fixture.answer(delivery, { aurora: deliveredAnswer });
  });

  test('a store that rejected a wrong page is sent the right one by a resubmission', async () => {
    const artist = await createArtist({ store_profiles: { aurora: 'wrong' } });
    const delivery = await fixture.givenDelivery({ release: by(artist) });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    const resubmit = () => fixture.post(`/${delivery.id}/resubmit`);
    assert.deepEqual(codeOf(await resubmit()), [409, 'nothing_changed']);
    await patchArtist(artist.id, { store_profiles: { aurora: 'right' } });
    assert.equal((await resubmit()).status, 200);
    await fixture.runUntilIdle();
    assert.deepEqual(latestArtists(delivery.id)?.[0]?.storeProfiles, { aurora: 'right' });
  });

  test('a second delivery of the same revision sends the artist as it is now', async () => {
    const artist = await createArtist({ store_profiles: { aurora: '1' } });
    const first = await delivered(by(artist));
    await patchArtist(artist.id, { store_profiles: { aurora: '1', beatlane: '2' } });
    const body = { release_id: first.release_id, stores: ['beatlane'], territory_codes: ['DE'] };
    const second = await fixture.post('', body);
    assert.equal(second.status, 201, second.text);
    await fixture.runUntilIdle();
    const { revision } = await fixture.releaseOf(first.release_id);
    assert.equal(second.json.revision, revision);
    assert.equal(second.json.stores[0].revision, revision);
    assert.deepEqual(latestArtists(second.json.id)?.[0]?.storeProfiles, {
      aurora: '1',
      beatlane: '2',
    });
  });

  test('a delivery job sends the artist as it is now', async () => {
    const artist = await createArtist({ store_profiles: { aurora: '1' } });
    const first = await delivered(by(artist));
    await patchArtist(artist.id, { store_profiles: { aurora: '1', beatlane: '2' } });
    const job = await label.call('POST', '/v1/delivery_jobs', {
      action: 'deliver',
      items: [{ release_id: first.release_id, stores: ['beatlane'], territory_codes: ['DE'] }],
    });
    assert.equal(job.status, 202, job.text);
    await fixture.runUntilIdle();
    const { json } = await label.call('GET', `/v1/delivery_jobs/${job.json.id}`);
    assert.equal(json.items[0].status, 'succeeded', JSON.stringify(json));
    const { revision } = await fixture.releaseOf(first.release_id);
    const delivery = await fixture.get(json.items[0].delivery_ids[0]);
    assert.deepEqual([delivery.revision, delivery.stores[0].revision], [revision, revision]);
  });

  test('while a review is pending the snapshot stays what the review decides on', async () => {
    const artist = await createArtist({ store_profiles: { aurora: '1' } });
    const release_id = await fixture.service.givenSubmittedRelease(label, by(artist));
    await patchArtist(artist.id, { store_profiles: { aurora: '2' } });
    const earlier = await fixture.releaseOf(release_id);
    const reply = await fixture.post('', {
      release_id,
      stores: ['aurora'],
      territory_codes: ['DE'],
    });
    assert.deepEqual([reply.status, reply.json.revision], [201, earlier.revision]);
    await fixture.runUntilIdle();
    assert.deepEqual(latestArtists(reply.json.id)?.[0]?.storeProfiles, { aurora: '1' });
  });

  test('a release that the review rejected is submitted again with its artists as they are now', async () => {
    const artist = await createArtist({ store_profiles: { aurora: '1' } });
    const { json } = await label.call('POST', '/v1/releases', completeDraft(by(artist)));
    await fixture.service.makeSubmittable(label, json.id);
    const submit = () => label.call('POST', `/v1/releases/${json.id}/submit`);
    const { json: first } = await submit();
    const whose = ['--org', label.orgId, '--submission', first.submission_id];
    await fixture.service.admin(
      'review',
      'decide',
      ...whose,
      '--decision',
      'reject',
      '--reason',
      'No.',
    );
    await patchArtist(artist.id, { store_profiles: { aurora: '2' } });
    const { json: second, status } = await submit();
    assert.deepEqual([status, second.revision], [200, first.revision + 1]);
  });

  const findings = async (id: string, caller = label): Promise<Json> => {
    const { json } = await caller.call('POST', `/v1/releases/${id}/validate`, {});
    return new Map(
      json.findings
        .filter(({ rule }: Json) => rule.startsWith('artist_'))
        .map((finding: Json) => [finding.rule, finding]),
    );
  };
  const draftOf = async (fields: object, caller = label): Promise<string> =>
    (await caller.call('POST', '/v1/releases', completeDraft(fields))).json.id;

  test('catalogue §3: artist_profile_unset names the stores that know no page of a main or featured artist', async () => {
    const everywhere = {
      beatlane: 'new',
      driftwood: 'new',
      glasshouse: '3',
      jangala: 'new',
      lanternfish: 'new',
    };
    const artist = await createArtist({ store_profiles: everywhere });
    const id = await draftOf(by(artist));
    const found = (await findings(id)).get('artist_profile_unset');
    assert.deepEqual(
      [found.severity, found.pointer, found.applies_to],
      ['warning', '/artists', ['aurora']],
    );
    assert.match(found.message, /"Ida Berg": no profile at aurora\. Set store_profiles/);
    await patchArtist(artist.id, { store_profiles: { ...everywhere, aurora: 'new' } });
    assert.equal((await findings(id)).has('artist_profile_unset'), false);
    // Judged by what the entry has.
    const store_profiles = { ...everywhere, aurora: '4' };
    const own = await draftOf({ artists: [{ name: 'Mo', role: 'main', store_profiles }] });
    assert.equal((await findings(own)).has('artist_profile_unset'), false);
  });

  test('catalogue §3: two artists of one name without profiles are a warning that names both', async () => {
    const caller = await fixture.service.givenOrganization();
    const [one, two] = [
      await createArtist({ name: 'Same Name' }, caller),
      await createArtist({ name: 'SAME  name' }, caller),
    ];
    const id = await draftOf(by(one), caller);
    const found = (await findings(id, caller)).get('artist_name_shared');
    assert.equal(found.severity, 'warning');
    assert.ok(found.message.includes(one.id) && found.message.includes(two.id), found.message);
    await caller.call('POST', `/v1/artists/${one.id}/merge`, { into: two.id });
    assert.equal((await findings(id, caller)).has('artist_name_shared'), false);
  });

  test('catalogue §3: the same page at a store, or the ISNI of an artist that an entry does not name, is a warning', async () => {
    const caller = await fixture.service.givenOrganization();
    const isni = '0000000121032683';
    const one = await createArtist({ name: 'One', isni, store_profiles: { aurora: '7' } }, caller);
    const two = await createArtist({ name: 'Two', store_profiles: { aurora: '7' } }, caller);
    const shared = (await findings(await draftOf(by(one), caller), caller)).get(
      'artist_identity_shared',
    );
    assert.ok(shared.message.includes(two.id), shared.message);
    const entry = { name: 'Uno', role: 'main', isni };
    const unnamed = await findings(await draftOf({ artists: [entry] }, caller), caller);
    assert.ok(unnamed.get('artist_identity_shared').message.includes(`"Uno" is ${one.id}`));
  });
});
