/** Submission and its review: spec §3.1, §4.1, §7 and contract §2, §3, §7. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { toUuid } from '../../src/kernel/ids.ts';
import { openFullStack } from '../full-stack.ts';
import { draft, fridayAhead, type OrgClient, type Reply, trackCredits } from '../test-service.ts';

describe('submission', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let label: OrgClient;
  before(async () => {
    stack = await openFullStack(26_180);
    label = await stack.service.givenOrganization();
    await stack.service.admin('isrc', 'add-registrant', '--org', label.orgId, '--code', 'QZSUB');
  });
  after(() => stack.close());

  const create = async (fields: object = {}, caller = label) =>
    (await caller.call('POST', '/v1/releases', draft({ release_date: fridayAhead(), ...fields })))
      .json;
  const submit = (id: string, caller = label, body?: unknown) =>
    caller.call('POST', `/v1/releases/${id}/submit`, body);
  const get = async (id: string, caller = label) =>
    (await caller.call('GET', `/v1/releases/${id}`)).json;
  const track = (release_id: string, fields: object = {}) =>
    label.call('POST', '/v1/tracks', { release_id, title: 'Night Drive', ...fields });
  const givenSubmittable = async (fields: object = {}, caller = label) => {
    const release = await create(fields, caller);
    await stack.service.makeSubmittable(caller, release.id);
    return release.id as string;
  };
  const waitUntilReviewed = async (id: string, caller = label) => {
    await until(
      `${id} is reviewed`,
      async () => (await get(id, caller)).submission.review_status !== 'pending',
    );
    return get(id, caller);
  };
  const fieldsOf = (reply: Reply) =>
    reply.json.error.details.map(({ field }: { field: string }) => field);

  describe('POST /v1/releases/{release_id}/submit', () => {
    test('spec §4.1: 200 with a submission; the status moves from draft to submitted', async () => {
      const id = await givenSubmittable();
      const { status, json } = await submit(id);
      assert.equal(status, 200);
      assert.match(json.submission_id, /^sub_/);
      assert.deepEqual(
        { ...json, submission_id: '', submitted_at: '' },
        {
          submission_id: '',
          release_id: id,
          revision: 3,
          submitted_at: '',
          review_status: 'pending',
          findings: [],
        },
      );
      const release = await get(id);
      assert.equal(release.status, 'submitted');
      assert.equal(release.submission.submission_id, json.submission_id);
    });

    test('spec §4.1: it takes no body, or an empty one', async () => {
      const id = await givenSubmittable();
      assert.equal((await submit(id, label, { force: true })).json.error.code, 'unknown_field');
      assert.equal((await submit(id, label, {})).status, 200);
    });

    test('spec §4.1: every unmet precondition is listed, in its order', async () => {
      const { id } = await create({ release_date: '2020-01-01' });
      const reply = await submit(id);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'release_not_submittable']);
      assert.deepEqual(fieldsOf(reply), ['tracks', 'artwork_asset_id', 'release_date']);
      assert.equal((await get(id)).status, 'draft', 'no trace');
    });

    test('spec §4.1, 1: at least one track', async () => {
      const id = await givenSubmittable();
      const { data } = (await label.call('GET', `/v1/tracks?release_id=${id}`)).json;
      await label.call('DELETE', `/v1/tracks/${data[0].id}`);
      assert.deepEqual(fieldsOf(await submit(id)), ['tracks']);
    });

    test('spec §4.1, 2: one track without audio holds back the whole release', async () => {
      const id = await givenSubmittable();
      await track(id);
      const reply = await submit(id);
      assert.deepEqual([reply.status, reply.json.error.code], [422, 'release_not_submittable']);
      assert.deepEqual(fieldsOf(reply), ['tracks[1].audio_asset_id']);
    });

    for (const state of ['pending_upload', 'processing', 'failed'] as const) {
      test(`spec §7: audio that is ${state} → 409 asset_not_ready, the rest is listed too`, async () => {
        const id = await givenSubmittable({ release_date: '2020-01-01' });
        await track(id, { audio_asset_id: await stack.service.givenAsset(label, 'audio', state) });
        const reply = await submit(id);
        assert.deepEqual([reply.status, reply.json.error.code], [409, 'asset_not_ready']);
        assert.deepEqual(fieldsOf(reply), ['tracks[1].audio_asset_id', 'release_date']);
      });
    }

    test('spec §4.1, 3: artwork is required, and only ready artwork can be set', async () => {
      const { id } = await create();
      const audio = await stack.service.givenAsset(label, 'audio');
      await track(id, { audio_asset_id: audio });
      assert.deepEqual(fieldsOf(await submit(id)), ['artwork_asset_id']);
      const patch = (artwork_asset_id: string | null) =>
        label.call('PATCH', `/v1/releases/${id}`, { artwork_asset_id });
      const processing = await patch(
        await stack.service.givenAsset(label, 'artwork', 'processing'),
      );
      assert.deepEqual([processing.status, processing.json.error.code], [409, 'asset_not_ready']);
      const wrongType = await patch(audio);
      assert.deepEqual([wrongType.status, wrongType.json.error.code], [422, 'invalid_field']);
      const other = await stack.service.givenOrganization();
      const foreign = await patch(await stack.service.givenAsset(other, 'artwork'));
      assert.deepEqual([foreign.status, foreign.json.error.code], [422, 'invalid_field']);
      const ready = await stack.service.givenAsset(label, 'artwork');
      assert.equal((await patch(ready)).json.artwork_asset_id, ready);
      assert.equal((await patch(null)).json.artwork_asset_id, null);
    });

    test('spec §4.1, 4: a release_date of today is not in the future', async () => {
      const today = new Date().toISOString().slice(0, 10);
      const id = await givenSubmittable({ release_date: today });
      assert.deepEqual(fieldsOf(await submit(id)), ['release_date']);
    });

    test('contract §3: a second submit is invalid_state', async () => {
      const id = await givenSubmittable();
      assert.equal((await submit(id)).status, 200);
      const second = await submit(id);
      assert.deepEqual([second.status, second.json.error.code], [409, 'invalid_state']);
    });

    test('contract §3: the fingerprint of another submitted release → 409 duplicate_submission', async () => {
      const fields = { upc: '614141000036', label: 'Gemini', release_date: fridayAhead() };
      const [first, second] = [await givenSubmittable(fields), await givenSubmittable(fields)];
      assert.equal((await submit(first)).status, 200);
      const reply = await submit(second);
      assert.deepEqual([reply.status, reply.json.error.code], [409, 'duplicate_submission']);
      assert.match(reply.json.error.message, new RegExp(first));
      const created = await label.call('POST', '/v1/releases', draft(fields));
      assert.deepEqual([created.status, created.json.error.code], [409, 'duplicate_submission']);
    });

    test('of ten concurrent submits one succeeds', async () => {
      const id = await givenSubmittable();
      const replies = await Promise.all(Array.from({ length: 10 }, () => submit(id)));
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, ...Array.from({ length: 9 }, () => 409)],
      );
      const rows = await stack.service.query(
        `select (select count(*)::int from submissions where release_id = $2) as submissions,
                (select count(*)::int from events where data ->> 'release_id' = $1
                    and data ->> 'status' = 'submitted') as events`,
        [id, toUuid(id as `rel_${string}`)],
      );
      assert.deepEqual(rows, [{ submissions: 1, events: 1 }]);
    });

    test('of two releases with one fingerprint, submitted concurrently, one succeeds', async () => {
      const fields = { upc: '614141000043', label: 'Gemini', release_date: fridayAhead() };
      const ids = [await givenSubmittable(fields), await givenSubmittable(fields)];
      const replies = await Promise.all(ids.map((id) => submit(id)));
      assert.deepEqual(
        replies
          .map(({ status, json }) => String(status === 200 ? 'done' : json.error.code))
          .toSorted(),
        ['done', 'duplicate_submission'],
      );
    });

    for (const id of ['rel_01h455vb4pex5vsknk084sn02q', 'rel_x']) {
      test(`contract §7: ${id} is resource_not_found`, async () => {
        for (const path of ['submit', 'validate']) {
          const { status, json } = await label.call('POST', `/v1/releases/${id}/${path}`);
          assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
        }
      });
    }
  });

  describe('the review', () => {
    test('contract §3: a valid release is approved and stays submitted', async () => {
      const id = await givenSubmittable();
      await submit(id);
      const release = await waitUntilReviewed(id);
      assert.deepEqual(
        [release.status, release.submission.review_status],
        ['submitted', 'approved'],
      );
      const { status } = await label.call('PATCH', `/v1/releases/${id}`, { genre: 'Pop' });
      assert.equal(status, 200, 'it can be changed again');
    });

    test('contract §3: a release that every store would refuse is rejected with findings and an event, corrected, submitted again', async () => {
      const id = await givenSubmittable();
      const isrc = 'GB-DUP-26-00001';
      for (const position of [2, 3]) {
        const audio_asset_id = await stack.service.givenAsset(label, 'audio');
        const title = `Part ${position}`;
        await track(id, { isrc, position, audio_asset_id, title, ...trackCredits });
      }
      await submit(id);
      const rejected = await waitUntilReviewed(id);
      assert.equal(rejected.status, 'rejected');
      assert.deepEqual(
        rejected.submission.findings.map(({ rule, pointer }: { rule: string; pointer: string }) => [
          rule,
          pointer,
        ]),
        [['isrc_repeated', '/tracks/2/isrc']],
      );
      await stack.service.sequenceEvents();
      const events = (
        await label.call('GET', '/v1/events?type=release.status.changed&limit=100')
      ).json.data.filter(({ data }: { data: { release_id: string } }) => data.release_id === id);
      assert.deepEqual(
        events.map(({ data }: { data: { previous_status: string; status: string } }) => [
          data.previous_status,
          data.status,
        ]),
        [
          ['submitted', 'rejected'],
          ['draft', 'submitted'],
        ],
      );
      const { data } = (await label.call('GET', `/v1/tracks?release_id=${id}`)).json;
      await label.call('PATCH', `/v1/tracks/${data[0].id}`, { isrc: 'GB-DUP-26-00002' });
      const second = await submit(id);
      assert.equal(second.status, 200);
      assert.notEqual(second.json.submission_id, rejected.submission.submission_id);
      assert.equal((await waitUntilReviewed(id)).submission.review_status, 'approved');
    });

    test('a finding of only some stores does not reject it', async () => {
      const id = await givenSubmittable({ territories: ['JP'] });
      await submit(id);
      const report = (await label.call('POST', `/v1/releases/${id}/validate`)).json;
      assert.ok(report.stores.some(({ errors }: { errors: number }) => errors > 0));
      assert.equal((await waitUntilReviewed(id)).submission.review_status, 'approved');
    });

    test('the submitted revision is stored as a snapshot', async () => {
      const id = await givenSubmittable();
      const { json } = await submit(id);
      const [row] = await stack.service.query(
        `select snapshot from release_snapshots where revision = $1
           and snapshot -> 'release' ->> 'id' = $2`,
        [json.revision, id],
      );
      assert.equal(row.snapshot.tracks.length, 1);
      assert.deepEqual(row.snapshot.assets.map(({ type }: { type: string }) => type).toSorted(), [
        'artwork',
        'audio',
      ]);
      assert.ok(
        row.snapshot.assets.every(({ sha256 }: { sha256: string }) => sha256.length === 64),
      );
    });

    test('every decision is in the audit log', async () => {
      const id = await givenSubmittable();
      const { json } = await submit(id);
      await waitUntilReviewed(id);
      const rows = await stack.service.query(
        'select action, actor_type from audit where audited_id = any($1) order by id',
        [[id, json.submission_id]],
      );
      assert.deepEqual(rows.slice(-2), [
        { action: 'release.submit', actor_type: 'api_key' },
        { action: 'submission.approved', actor_type: 'workflow' },
      ]);
    });
  });

  describe('the manual review', () => {
    let reviewed: OrgClient;
    const decide = (submission: string, ...flags: string[]) =>
      stack.service.admin(
        'review',
        'decide',
        '--org',
        reviewed.orgId,
        '--submission',
        submission,
        '--decision',
        ...flags,
      );
    before(async () => {
      reviewed = await stack.service.givenOrganization();
      await stack.service.admin('review', 'manual', '--org', reviewed.orgId, '--switch', 'on');
    });
    const isListed = async (submission: string) => {
      const { pending } = (await stack.service.admin(
        'review',
        'list',
        '--org',
        reviewed.orgId,
      )) as unknown as { pending: { submission_id: string }[] };
      return pending.some(({ submission_id }) => submission_id === submission);
    };

    test('contract §3: a release that passed the rules waits for the decision, and is approved', async () => {
      const id = await givenSubmittable({}, reviewed);
      const { json } = await submit(id, reviewed);
      await until('the rules have run', async () => {
        const key = `${reviewed.orgId}:${json.submission_id}`;
        const [row] = await stack.service.query('select state from timers where key = $1', [key]);
        return row.state === 'fired';
      });
      assert.equal((await get(id, reviewed)).submission.review_status, 'pending');
      assert.ok(await isListed(json.submission_id));
      await decide(json.submission_id, 'approve');
      const release = await get(id, reviewed);
      assert.deepEqual(
        [release.status, release.submission.review_status],
        ['submitted', 'approved'],
      );
      assert.ok(!(await isListed(json.submission_id)));
      await assert.rejects(decide(json.submission_id, 'approve'), /waits for its review/);
    });

    test('a release can be rejected with a reason, and an event is added', async () => {
      const id = await givenSubmittable({}, reviewed);
      const { json } = await submit(id, reviewed);
      await assert.rejects(decide(json.submission_id, 'reject'), /--reason is required/);
      await assert.rejects(decide(json.submission_id, 'perhaps'), /approve, reject/);
      await decide(json.submission_id, 'reject', '--reason', 'The cover shows a logo of a store.');
      const release = await get(id, reviewed);
      assert.equal(release.status, 'rejected');
      assert.deepEqual(release.submission.findings, [
        {
          rule: 'manual_review',
          applies_to: 'all',
          pointer: '',
          message: 'The cover shows a logo of a store.',
        },
      ]);
      await stack.service.sequenceEvents();
      const { data } = (await reviewed.call('GET', '/v1/events?type=release.status.changed')).json;
      assert.equal(data[0].data.status, 'rejected');
    });

    test('an operator cannot approve a release that the rules reject', async () => {
      const { id } = await create({}, reviewed);
      await stack.service.makeSubmittable(reviewed, id);
      await stack.service.query(
        `update organizations set licensed_territories = '{AQ}' where org_id = $1`,
        [toUuid(reviewed.orgId as `org_${string}`)],
      );
      const { json } = await submit(id, reviewed);
      const decision = await decide(json.submission_id, 'approve').catch(() => undefined);
      assert.notEqual(decision?.['review_status'], 'approved');
      assert.equal((await waitUntilReviewed(id, reviewed)).submission.review_status, 'rejected');
      await stack.service.query(
        `update organizations set licensed_territories = '{WORLD}' where org_id = $1`,
        [toUuid(reviewed.orgId as `org_${string}`)],
      );
    });

    test('switched off, the rules decide alone again; releases that wait keep waiting', async () => {
      const waitingId = await givenSubmittable({}, reviewed);
      await submit(waitingId, reviewed);
      const switched = await stack.service.admin(
        'review',
        'manual',
        '--org',
        reviewed.orgId,
        '--switch',
        'off',
      );
      assert.equal(Number(switched['still_waiting']) >= 1, true);
      const id = await givenSubmittable({}, reviewed);
      await submit(id, reviewed);
      assert.equal((await waitUntilReviewed(id, reviewed)).submission.review_status, 'approved');
    });
  });
});
