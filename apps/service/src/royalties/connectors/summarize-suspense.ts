import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';
import { runTask } from '../../platform/process/child-task.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { download } from '../../platform/storage/transfer.ts';
import type { SuspenseGroup, SuspenseSummaryInput } from './suspense-summary-task.ts';

const task = new URL('./suspense-summary-task.ts', import.meta.url);
const limits = { threads: 1, memoryMb: 512, groupsMax: 100 };

/** `objectKey`: of a suspense part. */
export async function summarizeSuspense(
  storage: Storage,
  objectKey: string,
): Promise<readonly SuspenseGroup[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tonearm-suspense-'));
  const { signal } = new AbortController();
  try {
    const path = join(folder, 'suspense.parquet');
    await download(storage, objectKey, path, signal);
    const input: SuspenseSummaryInput = { ...limits, folder, path };
    return await runTask(task, input, { signal, timeoutMs: hourMs });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
