/**
 * The receivers of docs/guides/webhooks.md, each in its own language: real events over loopback are accepted, forged,
 * changed and old ones are refused, and a rotation of the secret loses no event (contract §6).
 */

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { draft, type TestService } from '../test-service.ts';
import { parseSnippets, readPage } from './snippets.ts';

const page = 'docs/guides/webhooks.md';
const port = 28_090 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
const url = `http://127.0.0.1:${port}/`;
const waitMs = 20_000;

type Language = {
  readonly name: string;
  readonly file: string;
  readonly command: readonly string[];
};

const languages: readonly Language[] = [
  { name: 'TypeScript', file: 'receiver.ts', command: [process.execPath, 'receiver.ts'] },
  { name: 'Python', file: 'receiver.py', command: ['python3', 'receiver.py'] },
  { name: 'Go', file: 'receiver.go', command: ['./receiver'] },
  {
    name: 'PHP',
    file: 'receiver.php',
    command: ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
  },
];

type Event = {
  readonly id: string;
  readonly webhooks: readonly { readonly delivery_status: string; readonly attempts: number }[];
};

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** Signs as Standard Webhooks does, with the key of the given secret. */
function sign(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${digest}`,
  };
}

const post = async (headers: Record<string, string>, body: string): Promise<number> =>
  (await fetch(url, { method: 'POST', headers, body })).status;

/** `service` is a function, because the service is opened after the tests are declared. */
export function testReceivers(service: () => TestService): void {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-receivers-'));
  before(() => {
    for (const { file, text } of parseSnippets(page, readPage(page))) {
      if (file !== undefined) writeFileSync(join(folder, file), text);
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const env = { ...process.env, GOCACHE: join(folder, 'go-cache'), GO111MODULE: 'off' };
    execFileSync('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: folder, env });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the receiver and waits until it listens. `lines` are what it has printed. */
  async function start({ command: [program = '', ...args], name }: Language, secrets: string[]) {
    const child: ChildProcess = spawn(program, args, {
      cwd: folder,
      env: {
        ...process.env,
        PORT: String(port),
        TONEARM_WEBHOOK_SECRETS: secrets.join(','),
        PROCESSED_IDS: join(folder, 'processed'),
      },
    });
    // A test run that is stopped must not leave a receiver on the port.
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.removeListener('exit', kill));
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await until(`${name} listens`, async () => (await post({}, '').catch(() => 0)) > 0, waitMs);
    return {
      countOf: (id: string) => printed.split('\n').filter((line) => line.includes(id)).length,
      stop: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        kill();
        await ended;
      },
    };
  }

  for (const language of languages) {
    test(`${language.name}: verifies real events, refuses forged ones, survives a rotation`, async (t) => {
      const partner = await service().givenOrganization();
      const old = newSecret();
      let receiver = await start(language, [old]);
      // A failed test must free the port for the next receiver.
      t.after(() => receiver.stop());
      const registered = await partner.call('POST', '/v1/webhooks', {
        url,
        event_type: 'release.created',
        secret: old,
      });
      assert.equal(registered.json.status, 'verified', registered.text);

      /** Creates a release and returns its event once the webhook has answered 2xx at the first attempt. */
      const acceptedEvent = async (): Promise<string> => {
        const { json: release } = await partner.call('POST', '/v1/releases', draft());
        let event: Event | undefined;
        await until(
          'the event is accepted',
          async () => {
            const { json } = await partner.call('GET', '/v1/events?type=release.created');
            event = json.data.find(({ data }: { data: { id: string } }) => data.id === release.id);
            return event?.webhooks[0]?.delivery_status === 'delivered';
          },
          waitMs,
        );
        assert.equal(event?.webhooks[0]?.attempts, 1);
        const { id } = event;
        await until('it is processed', () => receiver.countOf(id) === 1, waitMs);
        return id;
      };

      const id = await acceptedEvent();
      await partner.call('POST', `/v1/events/${id}/redeliver`, {});
      await until(
        'it was sent again',
        async () => (await partner.call('GET', `/v1/events/${id}`)).json.attempts.length === 2,
        waitMs,
      );
      assert.equal(receiver.countOf(id), 1, 'an event that comes twice is processed once');

      const now = Math.floor(Date.now() / 1000);
      const body = JSON.stringify({ id: 'evt_forged', type: 'release.created', sequence: 1 });
      const good = sign(old, 'evt_forged', now, body);
      assert.equal(await post(sign(newSecret(), 'evt_forged', now, body), body), 401);
      assert.equal(await post(good, body.replace('1', '2')), 401, 'a changed body');
      assert.equal(await post({ ...good, 'webhook-id': 'evt_other' }, body), 401, 'another id');
      assert.equal(
        await post(sign(old, 'evt_forged', now - 600, body), body),
        401,
        'ten minutes old',
      );
      assert.equal(
        await post(sign(old, 'evt_forged', now + 600, body), body),
        401,
        'of the future',
      );
      assert.equal(await post({ ...good, 'webhook-timestamp': 'NaN' }, body), 401);
      assert.equal(await post({}, body), 401, 'without a signature');
      assert.equal(receiver.countOf('evt_forged'), 0);

      const rotate = `/v1/webhooks/${registered.json.id}/rotate_secret`;
      const { json: rotated } = await partner.call('POST', rotate, { grace_period_seconds: 3600 });
      await acceptedEvent();
      await receiver.stop();
      receiver = await start(language, [rotated.secret, old]);
      await acceptedEvent();
      const { json: again } = await partner.call('POST', rotate, { grace_period_seconds: 0 });
      await receiver.stop();
      receiver = await start(language, [again.secret, rotated.secret]);
      await acceptedEvent();
    });
  }
}
