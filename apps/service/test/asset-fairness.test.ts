/** A worker examines files fairly between organizations, in a scratch folder that only it uses. */

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type UploadFile, waitUntilProcessed, uploadAsset, toneWav } from './asset-files.ts';
import { openFullStack } from './full-stack.ts';
import { silentFlac } from './proofs/corpus/flac.ts';
import type { OrgClient } from './test-service.ts';

const heavyFiles = 24;
/** How many long files may settle while the short one is examined; if it queued behind them, more would. */
const passedMax = 8;

/** Six hours of silence: the decoder needs a good part of a second. */
const longFile: UploadFile = {
  type: 'audio',
  fileName: 'silence.flac',
  contentType: 'audio/flac',
  bytes: silentFlac(6 * 3_600),
};

describe('the examination of files', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  let scratchFolder: string;
  let busy: OrgClient;
  let other: OrgClient;
  before(async () => {
    scratchFolder = await mkdtemp(join(tmpdir(), 'tonearm-shares-'));
    stack = await openFullStack(26_440, { TONEARM_SCRATCH_FOLDER: scratchFolder });
    busy = await stack.service.givenOrganization();
    other = await stack.service.givenOrganization();
  });
  after(async () => {
    await stack.close();
    await rm(scratchFolder, { recursive: true });
  });

  test('uses one folder per worker, which only the worker’s user can enter', async () => {
    const [name = '', ...more] = await readdir(scratchFolder);
    assert.match(name, new RegExp(`^tonearm-worker-\\d+-${stack.worker.child.pid}-\\d+-\\w{6}$`));
    assert.deepEqual(more, []);
    assert.equal((await stat(join(scratchFolder, name))).mode & 0o777, 0o700);
  });

  test('a short file does not wait for another organization’s long ones', async () => {
    const countSettled = async () =>
      (await stack.service.query(`select id from assets where status in ('ready', 'failed')`))
        .length;
    await Promise.all(Array.from({ length: heavyFiles }, () => uploadAsset(busy, longFile)));
    const id = await uploadAsset(other, toneWav());
    const earlier = await countSettled();
    assert.equal((await waitUntilProcessed(other, id)).status, 'ready');
    const meanwhile = (await countSettled()) - earlier - 1;
    assert.ok(meanwhile <= passedMax, `${meanwhile} files of another organization went first`);
  });
});
