/**
 * A file from its completed upload to `ready` or `failed`:
 *
 *   process   look at the asset → examine its file → record the verdict → tidy up
 *   expire    an upload nobody completed in time → failed → tidy up
 *
 * Both run in lanes. An asset that is not where a step expects it has been dealt with already.
 */
import type { OrgId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { readSubject } from '../../platform/engine/lanes.ts';
import { createTurns } from '../../platform/engine/turns.ts';
import type { Work } from '../../platform/engine/work.ts';
import {
  examineFile,
  type Examiner,
  tidyUp,
  type Upload,
  uploadKey,
} from '../connectors/examine-file.ts';
import { expireUpload, settleAsset } from '../commands/settle-asset.ts';
import type { AssetId } from '../domain/asset.ts';
import { assetService } from '../events.ts';
import { findAsset } from '../store/assets.ts';

/** Longer than the largest file can take, behind all that may wait before it. */
const patienceMs = 3 * 3_600_000;
/** Decoders take a core each. */
const filesAtOnce = 2;

const ownerOf = (orgId: OrgId) =>
  ({ orgId, actor: { type: 'workflow', id: assetService } }) as const;

export function assetWork(examiner: Examiner): Work {
  const inTurn = createTurns(filesAtOnce);
  return {
    service: assetService,
    patienceMs,
    handlers: {
      process: async (run) => {
        const { orgId, id } = readSubject('ast', run.subject);
        const job = await run.step('look', ownerOf(orgId), (tx) => lookAt(tx, id));
        if (job === null) return;
        const verdict = await run.act('examine', () =>
          inTurn(() => examineFile(examiner, orgId, job)),
        );
        await run.step('settle', ownerOf(orgId), async (tx) => {
          await settleAsset(tx, id, verdict);
        });
        const kept = verdict.isReady ? verdict.objectKey : null;
        await run.act('tidy up', () => done(tidyUp(examiner, orgId, id, kept)));
      },
      expire: async (run) => {
        const { orgId, id } = readSubject('ast', run.subject);
        const uploadId = await run.step('expire', ownerOf(orgId), async (tx) => {
          const expired = await expireUpload(tx, id);
          return expired === undefined ? false : expired.uploadId;
        });
        if (uploadId === false) return;
        await run.act('tidy up', () => done(abandon(examiner, orgId, id, uploadId)));
      },
    },
  };
}

/** What there is to examine: null when it has been, or there is nothing yet. */
async function lookAt(tx: Tx, id: AssetId): Promise<Upload | null> {
  const asset = await findAsset(tx, tx.orgId, id);
  if (asset?.status !== 'processing') return null;
  const { type, contentType, sizeBytes, sha256, uploadId, uploadParts } = asset;
  return { id, type, contentType, sizeBytes, sha256, uploadId, uploadParts };
}

const done = async (work: Promise<void>): Promise<null> => {
  await work;
  return null;
};

async function abandon(
  examiner: Examiner,
  orgId: OrgId,
  id: AssetId,
  uploadId: string | null,
): Promise<void> {
  if (uploadId !== null) {
    await examiner.storage.abandonMultipart(uploadKey(orgId, id), uploadId);
  }
  await tidyUp(examiner, orgId, id, null);
}
