import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openScratch } from './scratch.ts';

const program = `const { openScratch } = await import(${JSON.stringify(import.meta.resolve('./scratch.ts'))});
  console.log((await openScratch(process.argv[1])).folder);
  process.stdin.resume();`;

/** Another process with its scratch folder; it lives until it is killed. */
async function startOther(parent: string) {
  const argv = ['--input-type=module-typescript', '-e', program, parent];
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return {
    name: basename(String(line).trim()),
    kill: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the scratch folder', { skip: process.platform !== 'linux' }, () => {
  let parent: string;
  beforeEach(async () => void (parent = await mkdtemp(join(tmpdir(), 'tonearm-scratch-test-'))));
  afterEach(() => rm(parent, { recursive: true }));

  test('is the process’s own, closed to other users, and removed at the end', async () => {
    const [one, two] = [await openScratch(parent), await openScratch(parent)];
    assert.notEqual(one.folder, two.folder);
    assert.equal((await stat(one.folder)).mode & 0o777, 0o700);
    await writeFile(join(one.folder, 'file'), 'x');
    await one.remove();
    assert.deepEqual(await readdir(parent), [basename(two.folder)]);
  });

  test('the folder of a killed process is removed, that of a living one is not', async () => {
    const [dead, living] = [await startOther(parent), await startOther(parent)];
    try {
      await dead.kill();
      const long = new Date(0);
      await utimes(join(parent, living.name), long, long);
      const own = await openScratch(parent);
      const left = await readdir(parent);
      assert.deepEqual(left.toSorted(), [living.name, basename(own.folder)].toSorted());
    } finally {
      await living.kill();
    }
  });

  test('a reused process id is another process', async () => {
    const own = basename((await openScratch(parent)).folder);
    const [, namespace] = /^tonearm-worker-(\d+)-/.exec(own) ?? [];
    await mkdir(join(parent, `tonearm-worker-${namespace}-${process.pid}-1-abcdef`));
    await openScratch(parent);
    const left = await readdir(parent);
    assert.equal(left.length, 2);
    assert.ok(left.includes(own));
  });

  test('the folder of another container is removed by age, and every living process renews its own', async () => {
    const own = await openScratch(parent);
    const old = new Date(Date.now() - 4 * 3_600_000);
    await utimes(own.folder, old, old);
    await own.renew();
    assert.ok((await stat(own.folder)).mtimeMs > Date.now() - 60_000);
    const [young, abandoned] = ['tonearm-worker-7-1-1-abcdef', 'tonearm-worker-7-1-1-ghijkl'];
    await mkdir(join(parent, young));
    await utimes(join(parent, young), new Date(), new Date());
    await mkdir(join(parent, abandoned));
    await utimes(join(parent, abandoned), old, old);
    await openScratch(parent);
    const left = await readdir(parent);
    assert.deepEqual([left.includes(young), left.includes(abandoned)], [true, false]);
  });

  test('nothing else is touched: other names, and links to elsewhere', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'tonearm-scratch-elsewhere-'));
    await writeFile(join(elsewhere, 'precious'), 'x');
    const [link, other] = ['tonearm-worker-7-1-1-linked', 'other-program'];
    await symlink(elsewhere, join(parent, link));
    await mkdir(join(parent, other));
    const long = new Date(0);
    await utimes(join(parent, other), long, long);
    await utimes(elsewhere, long, long);
    await openScratch(parent);
    const left = await readdir(parent);
    assert.ok(left.includes(link) && left.includes(other));
    assert.deepEqual(await readdir(elsewhere), ['precious']);
    await rm(elsewhere, { recursive: true });
  });
});
