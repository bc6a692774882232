/**
 * A file from its completed upload to `ready` or `failed`:
 *
 *   process   find the upload → examine the file → record the result → delete leftovers
 *   expire    a day after creation: fail an upload that was not completed → delete leftovers
 *
 * A step does nothing when the asset no longer has the status it expects: an earlier run has done it. The row of the
 * asset decides which objects are deleted, not the result of an attempt.
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

/** Longer than the examination of the largest file, including its wait for a slot. */
const assetInactivityTimeoutMs = 3 * hourMs;

/** With pauses of up to ten seconds, so that a short outage of the object store is bridged. */
const defaultAttemptsMax = 12;
const retryAfterMs = 2 * minuteMs;

/** Each decoder takes one core. One organization has at most two of the three slots. */
const concurrentFilesMax = 3;

export function assetWorkflow(deps: ExaminationDeps, attemptsMax = defaultAttemptsMax): Workflow {
  const withSlot = createSemaphore({ atOnce: concurrentFilesMax });
  /** Undefined after the last attempt: a timer processes the asset again later, and its lane is free for others. */
  const examine = async (
    run: HandlerContext,
    orgId: OrgId,
    upload: DeclaredUpload,
  ): Promise<ExaminationResult | undefined> => {
    const examineInSlot = (signal: AbortSignal) =>
      withSlot(orgId, () => examineFile(deps, orgId, upload, signal), signal);
    try {
      return await run.externalStep('examine', examineInSlot, attemptsMax);
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      await run.step('retry later', workflowOwner(orgId, assetService), async (tx) => {
        const retryAt = addMs(tx.realNow, retryAfterMs);
        setRealTimer(tx, retryAt, processAsset(orgId, upload));
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

/** Null when the upload is not completed, or was already examined. */
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
  const leftovers = await run.step('find leftovers', workflowOwner(orgId, assetService), (tx) =>
    findLeftovers(tx, id),
  );
  if (leftovers === null) return;
  await run.externalStep('delete leftovers', async () => {
    await deleteLeftovers(deps, orgId, leftovers);
    return null;
  });
}

/** Null while the asset is pending or processing. If the asset does not exist, all its objects are deleted. */
async function findLeftovers(tx: Tx, id: AssetId): Promise<Leftovers | null> {
  const asset = await findAsset(tx, tx.orgId, id);
  if (asset === undefined) return { id, uploadId: null, objectKey: null };
  if (asset.status !== 'ready' && asset.status !== 'failed') return null;
  return { id, uploadId: asset.uploadId, objectKey: asset.objectKey };
}
