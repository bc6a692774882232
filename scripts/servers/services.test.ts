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
import { postgres } from './postgres.ts';
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
    const folder = join(mkdtempSync(join(tmpdir(), 'tonearm-memory-')), 'postgres');
    const port = 15_933 + ownOffset;
    const options = { folder, port, isDurable: false };
    /** The fourth line of the file is the server's port. */
    const isOwn = (name: string) => {
      const file = join('/dev/shm', name, 'data', 'postmaster.pid');
      return existsSync(file) && readFileSync(file, 'utf8').split('\n')[3] === String(port);
    };
    const inMemory = existsSync('/dev/shm') ? () => readdirSync('/dev/shm') : () => [];
    await postgres(options).start();
    const names = inMemory().filter(isOwn);
    assert.equal(names.length + (existsSync(folder) ? 1 : 0), 1);
    // Another process, which chooses the folder again, finds the server.
    const server = postgres(options);
    assert.equal(await server.isRunning(), true);
    await server.stop();
    assert.equal(existsSync(folder), false);
    assert.ok(inMemory().every((name) => !names.includes(name)));
    for (const name of names) {
      const link = join('/dev/shm', name);
      symlinkSync(tmpdir(), link);
      await assert.rejects(postgres(options).start(), /belongs to another user/);
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
