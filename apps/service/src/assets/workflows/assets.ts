/**
 * A file from its completed upload to `ready` or `failed`:
 *
 *   process   look at the asset → examine its file → record the verdict → tidy up
 *   expire    a day after it was created: an upload nobody completed has failed; either way, tidy up
 *
 * An asset that is not where a step expects it has been dealt with already. What is tidied up is decided by
 * the asset's row, never by what an attempt believes.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import { addMs, hourMs, minuteMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import { setRealTimer } from '../../platform/engine/timers.ts';
import {
  TerminalFailure,
  type HandlerContext,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import { expireUpload, recordExaminationResult } from '../commands/record-examination-result.ts';
import {
  examineFile,
  type ExaminationDeps,
  type Leftovers,
  deleteLeftovers,
  type DeclaredUpload,
} from '../connectors/examine-file.ts';
import type { AssetId, ExaminationResult } from '../domain/asset.ts';
import { assetService, processAsset } from '../messages.ts';
import { findAsset } from '../store/assets.ts';

/** Longer than the largest file can take, behind all that may wait before it. */
const assetInactivityTimeoutMs = 3 * hourMs;

/** With pauses of up to ten seconds: a store that is briefly away is waited for. */
const defaultAttemptsMax = 12;
const retryAfterMs = 10 * minuteMs;

/** Decoders take a core each. One organization has two of the three places at most. */
const concurrentFilesMax = 3;

export function assetWorkflow(deps: ExaminationDeps, attemptsMax = defaultAttemptsMax): Workflow {
  const withSlot = createSemaphore({ atOnce: concurrentFilesMax });
  /** Undefined when it cannot be examined now: it makes way for the others, and comes again later. */
  const examine = async (
    run: HandlerContext,
    orgId: OrgId,
    upload: DeclaredUpload,
  ): Promise<ExaminationResult | undefined> => {
    const work = (signal: AbortSignal) =>
      withSlot(orgId, () => examineFile(deps, orgId, upload, signal), signal);
    try {
      return await run.externalStep('examine', work, attemptsMax);
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      await run.step('retry later', workflowOwner(orgId, assetService), async (tx) => {
        const again = addMs(tx.realNow, retryAfterMs);
        setRealTimer(tx, again, processAsset(orgId, upload));
      });
      return undefined;
    }
  };
  return {
    service: assetService,
    inactivityTimeoutMs: assetInactivityTimeoutMs,
    handlers: {
      process: async (run) => {
        const { orgId, id } = parseEntityRef('ast', run.entityRef);
        const upload = await run.step('find upload', workflowOwner(orgId, assetService), (tx) =>
          findUploadToExamine(tx, id),
        );
        if (upload !== null) {
          const result = await examine(run, orgId, upload);
          if (result === undefined) return;
          await run.step('record result', workflowOwner(orgId, assetService), (tx) =>
            recordExaminationResult(tx, id, result),
          );
        }
        await cleanUpStorage(run, deps, orgId, id);
      },
      expire: async (run) => {
        const { orgId, id } = parseEntityRef('ast', run.entityRef);
        await run.step('expire', workflowOwner(orgId, assetService), (tx) => expireUpload(tx, id));
        await cleanUpStorage(run, deps, orgId, id);
      },
    },
  };
}

/** What there is to examine: null when it has been, or there is nothing yet. */
async function findUploadToExamine(tx: Tx, id: AssetId): Promise<DeclaredUpload | null> {
  const asset = await findAsset(tx, tx.orgId, id);
  if (asset?.status !== 'processing') return null;
  const { type, contentType, sizeBytes, sha256, uploadId, uploadParts } = asset;
  return { id, type, contentType, sizeBytes, sha256, uploadId, uploadParts };
}

async function cleanUpStorage(
  run: HandlerContext,
  deps: ExaminationDeps,
  orgId: OrgId,
  id: AssetId,
): Promise<void> {
  const left = await run.step('find leftovers', workflowOwner(orgId, assetService), (tx) =>
    findLeftovers(tx, id),
  );
  if (left === null) return;
  await run.externalStep('delete leftovers', async () => {
    await deleteLeftovers(deps, orgId, left);
    return null;
  });
}

/** Null while the upload is still awaited or examined. Of an asset that is gone, nothing is kept. */
async function findLeftovers(tx: Tx, id: AssetId): Promise<Leftovers | null> {
  const asset = await findAsset(tx, tx.orgId, id);
  if (asset === undefined) return { id, uploadId: null, objectKey: null };
  if (asset.status !== 'ready' && asset.status !== 'failed') return null;
  return { id, uploadId: asset.uploadId, objectKey: asset.objectKey };
}
