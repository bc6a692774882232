/** `npm run services`: the servers start, start a second time and stop, as root and as another user. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { memoryFolderFor, postgres } from './postgres.ts';
import { restate } from './restate.ts';
import { root } from './server.ts';

const run = promisify(execFile);
const unprivilegedId = 65_534;
/** Two checkouts that run their tests at the same time use different ports. */
const ownOffset = Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);

type User = { readonly uid?: number; readonly gid?: number };

function servicesOf(
  offset: number,
  { user = {}, mode = 0o755 }: { user?: User; mode?: number } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-services-'));
  chmodSync(folder, mode);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0);
  const services = async (action: string) => {
    const { stdout } = await run(process.execPath, [join(root, 'scripts/services.ts'), action], {
      ...user,
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        TONEARM_DATA: folder,
        TONEARM_PORT_OFFSET: String(offset + ownOffset),
      },
    });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/\s\s+/).slice(0, 2).join(' '));
  };
  return { services, folder };
}

/** The folders with the data of the server at this port: `folder`, or one of those that tests share. */
const dataFoldersOf = (folder: string, port: number): string[] => {
  const shared = ['/dev/shm', '/var/tmp']
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name, 'data')));
  return [folder, ...shared].filter((data) => {
    const file = join(data, 'postmaster.pid');
    // The fourth line is the server's port.
    return existsSync(file) && readFileSync(file, 'utf8').split('\n')[3] === String(port);
  });
};

const all = (state: string) => ['PostgreSQL', 'Restate', 'Redis'].map((name) => `${state} ${name}`);

async function startTwiceAndStop(...where: Parameters<typeof servicesOf>): Promise<void> {
  const { services, folder } = servicesOf(...where);
  try {
    assert.deepEqual(await services('status'), all('stopped'));
    assert.deepEqual(await services('start'), all('running'));
    assert.deepEqual(await services('start'), all('running'), 'safe to run twice');
    assert.deepEqual(await services('status'), all('running'));
    assert.deepEqual(await services('stop'), all('stopped'));
    assert.deepEqual(await services('stop'), all('stopped'));
    assert.deepEqual(await services('start'), all('running'), 'again, with its data');
  } finally {
    await services('reset');
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('local servers', () => {
  test('start, start again, stop', () => startTwiceAndStop(200));

  if (process.getuid?.() === 0) {
    test('the same for a user that is not root', () =>
      startTwiceAndStop(300, { user: { uid: unprivilegedId, gid: unprivilegedId } }));
    test('from a folder that others may not enter, as a clone under /root is', () =>
      startTwiceAndStop(700, { mode: 0o700 }));
  }

  test('a port that is in use is named in the error', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(15_832 + ownOffset, '127.0.0.1', resolve));
    const { services, folder } = servicesOf(400);
    const failed = await services('start').catch((error: { stderr: string }) => error.stderr);
    assert.match(
      String(failed),
      new RegExp(`PostgreSQL did not start[\\s\\S]*${15_832 + ownOffset}`),
    );
    await services('reset');
    await new Promise((resolve) => taken.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  test('stop ends only its own process, not one that has the pid of a stale pid file', async () => {
    const { services, folder } = servicesOf(500);
    await services('start');
    await services('stop');
    writeFileSync(join(folder, 'dev', 'redis', 'server.pid'), String(process.pid));
    await services('stop');
    assert.ok(process.pid > 0, 'this test is still running');
    assert.equal((await services('status'))[2], 'stopped Redis');
    await services('reset');
    rmSync(folder, { recursive: true, force: true });
  });

  test('a killed server can be started at once, though a dying thread may still have its port', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonearm-restate-'));
    const engine = restate({
      folder,
      ingressPort: 18_880 + ownOffset,
      adminPort: 19_870 + ownOffset,
      nodePort: 15_922 + ownOffset,
    });
    try {
      for (let round = 0; round < 5; round++) {
        await engine.start();
        await engine.kill();
        assert.equal(await engine.isRunning(), false);
      }
    } finally {
      await engine.stop();
      engine.wipe();
    }
  });

  test('PostgreSQL without durability removes its data when it stops, from memory or the disk', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'tonearm-memory-'));
    chmodSync(parent, 0o755);
    const folder = join(parent, 'postgres');
    const port = 15_933 + ownOffset;
    const options = { folder, port, isDurable: false };
    const server = postgres(options);
    try {
      await server.start();
      assert.equal(dataFoldersOf(folder, port).length, 1);
      // Another process, which chooses the folder again, finds the server.
      assert.equal(await postgres(options).isRunning(), true);
    } finally {
      await server.stop();
      rmSync(parent, { recursive: true, force: true });
    }
    assert.deepEqual(dataFoldersOf(folder, port), []);
  });

  const skip = !existsSync('/dev/shm');
  test('a folder in memory that is a link is refused before it is used', { skip }, () => {
    const folder = join(tmpdir(), `tonearm-linked-${process.pid}`);
    const link = memoryFolderFor(folder);
    symlinkSync(tmpdir(), link);
    try {
      assert.throws(
        () => postgres({ folder, port: 15_934 + ownOffset, isDurable: false }),
        /is a link or belongs to another user/,
      );
    } finally {
      rmSync(link);
    }
  });

  test('an unknown action exits with 2', async () => {
    const { services, folder } = servicesOf(600);
    const failed = await services('dance').catch(
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal((failed as { code: number }).code, 2);
    rmSync(folder, { recursive: true, force: true });
  });
});
