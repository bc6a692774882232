/**
 * A submit and each operation that could break its preconditions, in every order of statements: no interleaving leaves
 * a submitted release that violates spec §4.1. The only allowed outcomes are those of running the two one after the
 * other.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recordExaminationResult } from '../src/assets/commands/record-examination-result.ts';
import type { AssetId } from '../src/assets/domain/asset.ts';
import { createTracks } from '../src/catalog/commands/create-tracks.ts';
import { deleteTrack } from '../src/catalog/commands/delete-track.ts';
import { editRelease } from '../src/catalog/commands/edit-release.ts';
import { editTrack } from '../src/catalog/commands/edit-tracks.ts';
import { submitRelease } from '../src/catalog/commands/submit-release.ts';
import type { TrackId } from '../src/catalog/domain/track.ts';
import { type OrgId, type ReleaseId, toUuid } from '../src/kernel/ids.ts';
import type { Tx } from '../src/platform/db/database.ts';
import { openLockMonitor, runEveryOrder, type TxSession } from './interleavings.ts';
import {
  type OrgClient,
  databaseUrl,
  draft,
  openTestService,
  type TestService,
} from './test-service.ts';

type SubmissionFixture = {
  readonly releaseId: ReleaseId;
  readonly duplicateId: ReleaseId;
  readonly trackId: TrackId;
  readonly processing: AssetId;
};

type CompetingOperation = {
  readonly name: string;
  readonly isWorkflow?: boolean;
  /** Whether the fixture has a second track whose audio is still being processed. */
  readonly hasProcessing?: boolean;
  readonly hasDuplicate?: boolean;
  readonly isSymmetric?: boolean;
  readonly work: (tx: Tx, fixture: SubmissionFixture) => Promise<unknown>;
};

const anything = () => true;
const trackWithoutAudio = {
  reference: null,
  metadata: {},
  title: 'Late',
  version: null,
  artists: undefined,
  contributors: [],
  audioAssetId: null,
  territory: null,
  disc: 1,
  position: undefined,
  explicit: null,
  language: null,
  genre: null,
  pLine: null,
};

const competingOperations: readonly CompetingOperation[] = [
  {
    name: 'a second submit',
    work: (tx, { releaseId }) => submitRelease(tx, releaseId),
  },
  {
    name: 'a submit of its duplicate',
    isSymmetric: true,
    hasDuplicate: true,
    work: (tx, { duplicateId }) => submitRelease(tx, duplicateId),
  },
  {
    name: 'a PATCH that removes its artwork',
    work: (tx, { releaseId }) =>
      editRelease(tx, {
        id: releaseId,
        edit: { artworkAssetId: null },
        status: undefined,
        isExpected: anything,
      }),
  },
  {
    name: 'a PATCH that moves its date into the past',
    work: (tx, { releaseId }) =>
      editRelease(tx, {
        id: releaseId,
        edit: { releaseDate: '2020-01-01' },
        status: undefined,
        isExpected: anything,
      }),
  },
  {
    name: 'the DELETE of its only track',
    work: (tx, { trackId }) => deleteTrack(tx, trackId),
  },
  {
    name: 'a PATCH that removes the audio of its track',
    work: (tx, { trackId }) =>
      editTrack(tx, { id: trackId, patch: { audioAssetId: null }, isExpected: anything }),
  },
  {
    name: 'a new track without audio',
    work: (tx, { releaseId }) =>
      createTracks(tx, [{ ...trackWithoutAudio, releaseId, isrc: 'GBRAC2600001' }]),
  },
  {
    name: 'an asset that becomes failed',
    isWorkflow: true,
    hasProcessing: true,
    work: (tx, { processing }) =>
      recordExaminationResult(tx, processing, {
        isReady: false,
        failure: { code: 'damaged', reason: 'It is.' },
      }),
  },
  {
    name: 'an asset that becomes ready',
    isWorkflow: true,
    hasProcessing: true,
    work: (tx, { processing }) =>
      recordExaminationResult(tx, processing, {
        isReady: true,
        sha256: '0'.repeat(64),
        objectKey: 'nowhere',
        facts: {
          format: 'wav',
          codec: 'pcm_s16le',
          bitDepth: 16,
          sampleRateHz: 44_100,
          channels: 2,
          durationMs: 1_000,
          formatTag: 1,
        },
      }),
  },
];

describe('a submit, in every order of statements with', () => {
  let service: TestService;
  let label: OrgClient;
  let locks: Awaited<ReturnType<typeof openLockMonitor>>;
  let fixtures = 0;
  before(async () => {
    service = await openTestService({ connections: 24 });
    label = await service.givenOrganization();
    locks = await openLockMonitor(databaseUrl(service.database));
  });
  after(async () => {
    await locks.close();
    await service.close();
  });

  const givenFixture = async ({
    hasProcessing,
    hasDuplicate,
  }: Pick<CompetingOperation, 'hasProcessing' | 'hasDuplicate'>): Promise<SubmissionFixture> => {
    const fields = draft({ label: `Label ${fixtures++}`, upc: '614141000036' });
    const create = async (): Promise<ReleaseId> => {
      const { json } = await label.call('POST', '/v1/releases', fields);
      await service.makeSubmittable(label, json.id);
      return json.id;
    };
    const releaseId = await create();
    const { json } = await label.call('GET', `/v1/tracks?release_id=${releaseId}`);
    const processing = await service.givenAsset(label, 'audio', 'processing');
    if (hasProcessing === true) {
      const body = { release_id: releaseId, title: 'B', isrc: 'GBRAC2600002' };
      await label.call('POST', '/v1/tracks', { ...body, audio_asset_id: processing });
    }
    const duplicateId = hasDuplicate === true ? await create() : releaseId;
    return { releaseId, duplicateId, trackId: json.data[0].id, processing };
  };

  const sessionsOf = (
    operation: CompetingOperation,
    fixture: SubmissionFixture,
  ): readonly [TxSession, TxSession] => {
    const orgId = label.orgId as OrgId;
    const owner = { orgId, actor: { type: 'api_key', id: 'key_test' } } as const;
    const workflow = { orgId, actor: { type: 'workflow', id: 'test' } } as const;
    return [
      { db: service.db, owner, work: (tx) => submitRelease(tx, fixture.releaseId) },
      {
        db: operation.isWorkflow === true ? service.workerDb : service.db,
        owner: operation.isWorkflow === true ? workflow : owner,
        work: (tx) => operation.work(tx, fixture),
      },
    ];
  };

  /** What violates spec §4.1 in the database, for these releases. */
  const violationsOf = async ({ releaseId, duplicateId }: SubmissionFixture): Promise<string[]> => {
    const rows = await service.query(
      `select r.id, r.release_date > $2::date as is_ahead, r.track_count,
              (select count(*)::int from tracks t where t.release_id = r.id) as tracks,
              (select count(*)::int from tracks t left join assets a on a.id = t.audio_asset_id
                where t.release_id = r.id and a.status is distinct from 'ready') as unready,
              coalesce((select status = 'ready' from assets where id = r.artwork_asset_id), false) as has_artwork,
              (select count(*)::int from submissions s where s.release_id = r.id) as submissions,
              (select count(*)::int from release_snapshots s where s.release_id = r.id) as snapshots,
              (select count(*)::int from events e where e.type = 'release.status.changed'
                  and e.data -> 'release' ->> 'upc' = r.upc and e.data -> 'release' ->> 'label' = r.label) as events
         from releases r
        where r.id = any($1) and r.status = 'submitted'`,
      [[toUuid(releaseId), toUuid(duplicateId)], service.clock.now()],
    );
    const violations = rows.flatMap((row) => [
      ...(row.is_ahead ? [] : ['its date is in the past']),
      ...(row.tracks > 0 && row.tracks === row.track_count ? [] : ['its track_count is wrong']),
      ...(row.unready === 0 ? [] : ['audio is not ready']),
      ...(row.has_artwork ? [] : ['artwork is not ready']),
      ...(row.submissions === 1 && row.snapshots === 1 ? [] : ['not one submission']),
      ...(row.events === 1 ? [] : ['not one event']),
    ]);
    return rows.length > 1 ? [...violations, 'both duplicates are submitted'] : violations;
  };

  for (const operation of competingOperations) {
    test(operation.name, async (context) => {
      const { orders, outcomes, serial } = await runEveryOrder(
        locks.isWaiting,
        async (run) => {
          const fixture = await givenFixture(operation);
          const outcome = await run(sessionsOf(operation, fixture));
          assert.deepEqual(await violationsOf(fixture), [], outcome.join(', '));
        },
        operation.isSymmetric,
      );
      assert.ok(orders >= 4, `${orders} orders`);
      assert.deepEqual([...outcomes.keys()].toSorted(), [...new Set(serial)].toSorted());
      context.diagnostic(`${orders} orders: ${JSON.stringify(Object.fromEntries(outcomes))}`);
    });
  }
});
