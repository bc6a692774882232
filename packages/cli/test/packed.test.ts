/** The packed command line with the packed SDK, installed into an empty folder: JavaScript that any Node 24 runs. */

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openTestService, type TestService } from '../../../apps/service/test/test-service.ts';
import { root } from '../../../scripts/servers/server.ts';

const run = promisify(execFile);

function pack(folder: string, name: string): string {
  const target = join(folder, `packed-${name}`);
  execFileSync(process.execPath, [join(root, 'scripts/pack.ts'), name, target], { stdio: 'pipe' });
  const archive = execFileSync('npm', ['pack', '--silent'], {
    cwd: target,
    encoding: 'utf8',
  }).trim();
  return join(target, archive);
}

/** Unpacks an archive to where npm would install it. npm itself would ask the registry for the dependencies. */
function unpack(archive: string, target: string): void {
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', target]);
}

describe('the packed command line', () => {
  let folder: string;
  let service: TestService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cli-installed-'));
    const modules = join(folder, 'node_modules');
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    for (const name of ['sdk', 'cli']) unpack(pack(folder, name), join(modules, '@tonearm', name));
    const commander = join(root, 'packages/cli/node_modules/commander');
    cpSync(commander, join(modules, 'commander'), { recursive: true });
    service = await openTestService();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });

  test('has a program that starts by itself, says its help and who one is', async () => {
    const installed = join(folder, 'node_modules/@tonearm/cli');
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const program = join(installed, bin.tonearm);
    assert.match(readFileSync(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    const { key } = await service.givenOrganization();
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      TONEARM_URL: service.url,
      TONEARM_API_KEY: key,
    };
    const help = await run(process.execPath, [program, '--help'], { cwd: folder, env });
    assert.match(help.stdout, /^Usage: tonearm \[options\] \[command\]/);
    const who = await run(process.execPath, [program, 'whoami'], { cwd: folder, env });
    assert.equal(JSON.parse(who.stdout).organization.name, 'Test Records');
  });
});
