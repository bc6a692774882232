/**
 * From an empty account to a submitted release, as a partner's developer does it: only over HTTP, with real files, a
 * real S3 server, a real engine, and a relay and a worker as processes.
 */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root, until } from '../../../../scripts/servers/server.ts';
import { coverJpeg, waitUntilProcessed, uploadAsset, toneWav } from '../asset-files.ts';
import { openFullStack } from '../full-stack.ts';
import { fridayAhead, type OrgClient } from '../test-service.ts';

describe('a first release', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let partner: OrgClient;
  before(async () => {
    stack = await openFullStack(26_280);
    await stack.service.admin('stores', 'seed');
    partner = await givenAccount('QZNOR');
  });
  after(() => stack.close());

  const example = join(root, 'examples', 'first-release.ts');

  /** An empty account with a registrant code. */
  const givenAccount = async (code: string): Promise<OrgClient> => {
    const caller = await stack.service.givenOrganization({ label: 'Northern Lights' });
    await stack.service.admin('isrc', 'add-registrant', '--org', caller.orgId, '--code', code);
    return caller;
  };

  test('the example of the README submits and delivers a release with Node alone', async () => {
    const { key } = await givenAccount('QZEXA');
    const env = { ...process.env, TONEARM_URL: stack.service.url, TONEARM_API_KEY: key };
    const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
    assert.match(stdout, /^submitted {2}sub_\w+ {2}approved$/m);
    assert.match(stdout, /^delivery {3}dlv_\w+ {2}delivered$/m);
  });

  test('under a manual clock the example ends at once and says what to do', async () => {
    const { key, call } = await givenAccount('QZMAN');
    await call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    const env = { ...process.env, TONEARM_URL: stack.service.url, TONEARM_API_KEY: key };
    const run = promisify(execFile)(process.execPath, [example], { env });
    await assert.rejects(run, /The sandbox clock is manual.*"mode":"running"/s);
    assert.deepEqual((await call('GET', '/v1/releases')).json.data, [], 'nothing was created');
  });

  test('from an empty account to a submitted and approved release', async () => {
    const { call } = partner;
    assert.deepEqual((await call('GET', '/v1/releases')).json.data, [], 'the account is empty');

    const { json: release } = await call('POST', '/v1/releases', {
      title: 'Night Drive',
      artists: [{ name: 'Aurora Díaz', role: 'main' }],
      release_date: fridayAhead(),
    });
    const [audioId, coverId] = await Promise.all([
      uploadAsset(partner, toneWav(45_000)),
      uploadAsset(partner, await coverJpeg()),
    ]);

    const early = await call('POST', '/v1/releases/'.concat(release.id, '/submit'));
    assert.equal(early.json.error.code, 'release_not_submittable');

    const { json: track } = await call('POST', '/v1/tracks', {
      release_id: release.id,
      title: 'Night Drive',
      audio_asset_id: audioId,
    });
    assert.match(track.isrc, /^QZ-NOR-\d\d-00001$/);

    const [audio, artwork] = await Promise.all([
      waitUntilProcessed(partner, audioId),
      waitUntilProcessed(partner, coverId),
    ]);
    assert.deepEqual([audio.status, artwork.status], ['ready', 'ready']);
    await call('PATCH', `/v1/releases/${release.id}`, { artwork_asset_id: coverId });

    // The stores with rule pack A ask for credits; the others take the release as it is.
    const { json: uncredited } = await call('POST', `/v1/releases/${release.id}/validate`);
    const errors = uncredited.findings.filter(
      ({ severity }: { severity: string }) => severity === 'error',
    );
    assert.deepEqual(
      errors.map(({ rule, applies_to }: { rule: string; applies_to: string[] }) => [
        rule,
        ...applies_to,
      ]),
      ['performer', 'writer', 'production'].map((group) => [
        `credits_${group}`,
        'aurora',
        'driftwood',
        'lanternfish',
      ]),
    );
    const credited = await call('PATCH', `/v1/tracks/${track.id}`, {
      contributors: [{ name: 'Aurora Díaz', roles: ['vocalist', 'composer', 'producer'] }],
    });
    assert.equal(credited.status, 200, credited.text);

    const { json: report } = await call('POST', `/v1/releases/${release.id}/validate`);
    assert.ok(report.findings.every(({ severity }: { severity: string }) => severity !== 'error'));
    const fixable = report.findings.flatMap((finding: { id: string; patch: unknown }) =>
      finding.patch === null ? [] : [finding.id],
    );
    const fixed = await call('POST', `/v1/releases/${release.id}/fixes`, { finding_ids: fixable });
    assert.equal(fixed.status, 200, fixed.text);

    const submitted = await call('POST', `/v1/releases/${release.id}/submit`);
    assert.equal(submitted.status, 200, submitted.text);
    await until('it is approved', async () => {
      const { json } = await call('GET', `/v1/releases/${release.id}`);
      assert.equal(json.status, 'submitted');
      return json.submission.review_status === 'approved';
    });

    // The relay numbers events a moment after they are committed.
    await until(
      'all events are numbered',
      async () => (await call('GET', '/v1/events?after=0')).json.data.length >= 4,
    );
    const { data: events } = (await call('GET', '/v1/events?after=0')).json;
    const types = events.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.toSorted(), [
      'asset.ready',
      'asset.ready',
      'release.created',
      'release.status.changed',
    ]);
    assert.equal(types.at(0), 'release.created');
    assert.equal(types.at(-1), 'release.status.changed');
  });
});
