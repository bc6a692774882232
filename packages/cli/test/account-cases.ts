/** Keys, profiles, output and errors. */

import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Partner } from './cli.test.ts';
import { openHome } from './run-cli.ts';

export function accountCases(partner: () => Partner): void {
  describe('an account', () => {
    test('login stores a key that is never printed, for its owner only, and whoami uses it', async (t) => {
      const { url, key } = partner();
      const home = openHome();
      t.after(home.remove);
      const login = await home.run(['login', '--api-url', url], { input: `${key}\n` });
      assert.equal(login.status, 0, login.stderr);
      assert.ok(!(login.stdout + login.stderr).includes(key), 'the key is not printed');
      const path = join(home.folder, 'config', 'tonearm', 'config.json');
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
      assert.equal(JSON.parse(readFileSync(path, 'utf8')).profiles.default.api_key, key);

      const who = await home.run(['whoami']);
      assert.equal(who.json.organization.name, 'Test Records');
      assert.equal(who.json.api_key_from, 'profile');
      assert.ok(!who.stdout.includes(key));
    });

    test('TONEARM_API_KEY wins over a profile, and --profile chooses another', async (t) => {
      const { url, key, otherKey } = partner();
      const home = openHome({ TONEARM_URL: url });
      t.after(home.remove);
      await home.run(['login'], { input: key });
      await home.run(['login', '--profile', 'second'], { input: otherKey });
      const idOf = async (args: string[], env = {}) =>
        (await home.run(['whoami', ...args], { env })).json.organization.id as string;
      const first = await idOf([]);
      const second = await idOf(['--profile', 'second']);
      assert.notEqual(first, second);
      assert.equal(await idOf([], { TONEARM_API_KEY: otherKey }), second);
    });

    test('a wrong key is refused and not stored', async (t) => {
      const home = openHome({ TONEARM_URL: partner().url });
      t.after(home.remove);
      const refused = await home.run(['login'], { input: 'ta_test_0000000000000000000000000000' });
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, /^invalid_credentials: .* \(request req_\w+\)$/m);
      const malformed = await home.run(['login'], { input: 'hunter2' });
      assert.equal(malformed.status, 2);
      assert.ok(!malformed.stderr.includes('hunter2'));
      assert.match((await home.run(['whoami'])).stderr, /^not_logged_in: .*\nNext: tonearm login/);
    });

    test('doctor checks configuration, key, service, clock and access', async (t) => {
      const { home, url, key } = partner();
      const well = await home.run(['doctor']);
      assert.equal(well.status, 0, well.stderr);
      const names = (well.json.checks as { name: string; status: string }[]).map(
        (check) => check.name,
      );
      assert.deepEqual(names, ['configuration', 'key', 'service', 'clock', 'access']);

      const ill = openHome();
      t.after(ill.remove);
      await ill.run(['login', '--api-url', url], { input: key });
      chmodSync(join(ill.folder, 'config', 'tonearm', 'config.json'), 0o644);
      const open = await ill.run(['doctor', '--table']);
      assert.equal(open.status, 1);
      assert.match(open.stdout, /✖ failed +configuration.*\n/);
      assert.match(open.stdout, /Next: chmod 600 /);
      const away = await ill.run(['doctor', '--api-url', 'http://127.0.0.1:9']);
      assert.equal(away.status, 1);
      assert.match(away.stderr, /failed: configuration, service\.$/m);
    });
  });

  describe('output', () => {
    test('is JSON off a terminal, and an error has its code, its request and every detail', async () => {
      const { home } = partner();
      const list = await home.run(['stores', 'list', '--limit', '2']);
      assert.equal(list.json.data.length, 2);
      assert.equal(list.json.has_more, true);
      const refused = await home.run(['releases', 'create', '--title', 'Night Drive']);
      assert.equal(refused.status, 1);
      assert.equal(refused.stdout, '');
      assert.match(refused.stderr, /^missing_required_field: .*\(request req_\w+\)\n/);
      assert.match(refused.stderr, /^ {2}artists: .*\n {2}release_date: /m);
    });

    test('a mistake in the command line ends with 2 and sends nothing', async () => {
      const { home } = partner();
      for (const args of [
        ['relases', 'list'],
        ['releases', 'list', '--limit', '0'],
        ['deliver', 'rel_1'],
        ['get', 'https://example.com/v1/releases'],
        ['post', '/releases', '-d', '{'],
        ['releases', 'list', '--profile', '../x'],
      ]) {
        const { status, stdout, stderr } = await home.run(args);
        assert.deepEqual([args.join(' '), status, stdout], [args.join(' '), 2, '']);
        assert.notEqual(stderr, '');
      }
    });

    test('--debug prints curl commands without secrets', async () => {
      const { home, key } = partner();
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
      const { stderr } = await home.run([
        'post',
        '/v1/webhooks',
        '--debug',
        '-f',
        'url=http://127.0.0.1:1024/',
        '-f',
        'event_type=*',
        '-f',
        `secret=${secret}`,
      ]);
      assert.match(
        stderr,
        /^curl -X POST http:\/\/\S+\/v1\/webhooks -H "Authorization: Bearer \$TONEARM_API_KEY"/m,
      );
      assert.match(
        stderr,
        /--json '\{"url":"http:\/\/127.0.0.1:1024\/","event_type":"\*","secret":"\[hidden\]"\}'/,
      );
      assert.match(stderr, /^# \d{3} in \d+ ms req_\w+$/m);
      assert.ok(!stderr.includes(key) && !stderr.includes(secret));
    });

    test('a destructive command is refused without --yes where nobody can be asked', async () => {
      const { home, call } = partner();
      const { json } = await call('POST', '/v1/webhooks', {
        url: 'http://127.0.0.1:1024/',
        event_type: '*',
      });
      const { id } = json as { id: string };
      const refused = await home.run(['webhooks', 'delete', id]);
      assert.equal(refused.status, 2);
      assert.match(refused.stderr, /^confirmation_required: .*Nothing was done\.\nNext: .*--yes$/m);
      assert.equal((await call('GET', `/v1/webhooks/${id}`)).status, 200);
      assert.equal((await home.run(['webhooks', 'delete', id, '--yes'])).status, 0);
      assert.equal((await call('GET', `/v1/webhooks/${id}`)).status, 404);
    });
  });
}
