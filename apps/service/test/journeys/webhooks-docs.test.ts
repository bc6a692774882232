/** Runs the example and the receiver of docs/webhooks.md. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { root, until } from '../../../../scripts/servers/server.ts';
import { openFullStack } from '../full-stack.ts';
import { draft } from '../test-service.ts';

describe('the page about webhooks', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  before(async () => {
    stack = await openFullStack(27_780);
  });
  after(() => stack.close());

  test('its example works as a partner would copy it', async () => {
    const page = readFileSync(join(root, 'docs', 'webhooks.md'), 'utf8');
    const [, script = ''] = /example: webhooks -->\s+```sh\n(.*?)```/s.exec(page) ?? [];
    const { key, call } = await stack.service.givenOrganization();
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euc', script.replaceAll('http://127.0.0.1:8420', stack.service.url)],
      { env: { ...process.env, KEY: key } },
    );
    const lines = stdout.split('\n');
    assert.ok(lines.includes('verified'), stdout);
    assert.equal(lines.filter((line) => line.endsWith('Z 503')).length, 6, stdout);
    const last = /evt_\w+(?=\s*$)/.exec(stdout)?.[0];
    const { json } = await call('GET', '/v1/sandbox/inbox');
    const same = json.data.filter(({ event_id }: { event_id: string }) => event_id === last);
    assert.equal(same.length, 7, 'six failed attempts and one redelivery');
    assert.equal(new Set(same.map(({ body }: { body: string }) => body)).size, 1, 'the same bytes');
  });

  test('its receiver verifies signatures and processes each event once', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const port = 27_799 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
    const example = spawn(process.execPath, [join(root, 'examples', 'webhook-receiver.ts')], {
      env: { ...process.env, SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface(example.stdout).on('line', (line) => lines.push(line));
    try {
      await until('it listens', () => lines.includes(`listening on ${port}`), 10_000);
      const { call } = await stack.service.givenOrganization();
      const url = `http://127.0.0.1:${port}/`;
      const body = { url, event_type: 'release.created', secret };
      const { json } = await call('POST', '/v1/webhooks', body);
      assert.equal(json.status, 'verified');
      const { json: other } = await call('POST', '/v1/webhooks', { url, event_type: '*' });
      assert.equal(other.status, 'unverified', 'signed with a secret it does not know');
      await call('POST', '/v1/releases', draft());
      const receivedLines = () => lines.filter((line) => / release\.created evt_/.test(line));
      await until('the event has arrived', () => receivedLines().length === 1, 10_000);
      const id = receivedLines()[0]?.split(' ')[2];
      const attempts = async () => (await call('GET', `/v1/events/${id}`)).json.attempts.length;
      await until('the attempt is recorded', async () => (await attempts()) === 1, 10_000);
      await call('POST', `/v1/events/${id}/redeliver`, {});
      await until('it was sent again', async () => (await attempts()) === 2, 10_000);
      assert.equal(receivedLines().length, 1);
    } finally {
      example.kill();
      await once(example, 'exit');
    }
  });
});
