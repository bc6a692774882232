/** The local servers, as a newcomer starts them: twice, with and without root, and stopped again. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { restate } from './restate.ts';
import { root } from './server.ts';

const run = promisify(execFile);
const nobody = 65_534;
/** Two checkouts that test at once keep out of each other's way. */
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
      startTwiceAndStop(300, { user: { uid: nobody, gid: nobody } }));
    test('from a folder that others may not enter, as a clone under /root is', () =>
      startTwiceAndStop(700, { mode: 0o700 }));
  }

  test('a port that is taken is said plainly', async () => {
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

  test('only our own process is stopped: a stale pid file is another process by now', async () => {
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

  test('killed and started again at once: a dying thread still holds the port', async () => {
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

  test('an unknown action explains itself', async () => {
    const { services, folder } = servicesOf(600);
    const failed = await services('dance').catch(
      (error: { code: number; stderr: string }) => error,
    );
    assert.equal((failed as { code: number }).code, 2);
    rmSync(folder, { recursive: true, force: true });
  });
});
