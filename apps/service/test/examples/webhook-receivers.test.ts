/**
 * The receivers in examples/ for Express, Fastify and Next.js, each as a process: real events of the service are stored
 * once and processed, forged ones are refused, and an older event that arrives later changes nothing.
 */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { openInbox } from '../../../../examples/webhook-inbox/inbox.ts';
import { root, until } from '../../../../scripts/servers/server.ts';
import { signedHeaders } from '../../src/webhooks/connectors/sign.ts';
import type { SignedPayload } from '../../src/webhooks/connectors/sign.ts';
import { openFullStack } from '../full-stack.ts';
import { draft } from '../test-service.ts';

const firstPort = 28_190 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
const waitMs = 60_000;

const frameworks = [
  { name: 'Express', folder: 'express-webhooks', args: () => ['server.ts'] },
  { name: 'Fastify', folder: 'fastify-webhooks', args: () => ['server.ts'] },
  {
    name: 'Next.js',
    folder: 'nextjs-webhooks',
    args: (port: number) => [next, 'dev', '--port', String(port), '--hostname', '127.0.0.1'],
  },
];

type Event = { id: string; type: string; sequence: number; data: object };

/** By the service's own function, so that a test can choose sequence, time and secret. */
function signed(secret: string, event: Event, at = new Date()) {
  const body = Buffer.from(JSON.stringify(event));
  const ids = { eventId: event.id, attemptId: 'att_1' } as Pick<
    SignedPayload,
    'eventId' | 'attemptId'
  >;
  const headers = signedHeaders(
    { ...ids, type: event.type, body },
    { current: secret, old: undefined },
    at,
  );
  return { headers: headers as Record<string, string>, body };
}

describe('the receivers in examples/', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-receivers-'));
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const children: ChildProcess[] = [];
  before(async () => {
    stack = await openFullStack(28_180);
  });
  after(async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      killGroup(child);
      await ended;
    }
    await stack.close();
    rmSync(folder, { recursive: true });
  });

  /** Next.js has a process for its server besides the one that was started. */
  const killGroup = ({ pid }: ChildProcess) => {
    try {
      process.kill(-(pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };

  for (const [i, { name, folder: example, args }] of frameworks.entries()) {
    const port = firstPort + i;
    const url = `http://127.0.0.1:${port}/webhooks`;
    const file = join(folder, `${example}.sqlite`);

    const post = async ({ headers, body }: { headers: Record<string, string>; body: Buffer }) =>
      (await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status;

    const start = async (): Promise<{ printed: () => string }> => {
      const child = spawn(process.execPath, args(port), {
        cwd: join(root, 'examples', example),
        env: {
          ...process.env,
          PORT: String(port),
          INBOX_FILE: file,
          TONEARM_WEBHOOK_SECRETS: secret,
          NEXT_TELEMETRY_DISABLED: '1',
        },
        detached: true,
      });
      children.push(child);
      process.once('exit', () => killGroup(child));
      let printed = '';
      child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const isUp = async () =>
        (await post({ headers: {}, body: Buffer.alloc(0) }).catch(() => 0)) === 401;
      await until(`${name} listens`, isUp, waitMs).catch((error: unknown) => {
        throw new Error(printed, { cause: error });
      });
      return { printed: () => printed };
    };
    const read = (sql: string, ...values: (string | number)[]) => {
      const db = new DatabaseSync(file, { readOnly: true });
      try {
        return db.prepare(sql).all(...values) as Record<string, unknown>[];
      } finally {
        db.close();
      }
    };

    test(`${name}: stores each real event once, refuses forged ones, and is safe against disorder`, async () => {
      await start();
      const partner = await stack.service.givenOrganization();
      const { json: webhook, text } = await partner.call('POST', '/v1/webhooks', {
        url,
        event_type: 'release.created',
        secret,
      });
      assert.equal(webhook.status, 'verified', text);
      const { json: release } = await partner.call('POST', '/v1/releases', draft());
      await until(
        'the event is processed',
        () => read('select 1 from resources where id = ?', release.id).length === 1,
        waitMs,
      );
      const [stored] = read('select id from inbox where processed_at is not null');
      const path = `/v1/events/${String(stored?.['id'])}`;
      await partner.call('POST', `${path}/redeliver`, {});
      await until(
        'it was sent again',
        async () => {
          const { attempts } = (await partner.call('GET', path)).json;
          return (
            attempts.filter((each: { status_code: number }) => each.status_code === 200).length ===
            2
          );
        },
        waitMs,
      );
      assert.equal(
        read('select 1 from inbox').length,
        1,
        'an event that comes twice is stored once',
      );

      const event = (sequence: number, status: string): Event => ({
        id: `evt_${name}_${sequence}`,
        type: 'release.status.changed',
        sequence,
        data: { release_id: 'rel_1', status, release: { id: 'rel_1', status } },
      });
      const good = signed(secret, event(9, 'delivered'));
      const other = `whsec_${randomBytes(32).toString('base64')}`;
      assert.equal(await post(signed(other, event(9, 'delivered'))), 401, 'another secret');
      assert.equal(await post({ ...good, body: Buffer.from('{}') }), 401, 'another body');
      assert.equal(await post({ ...good, headers: {} }), 401, 'no signature');
      const old = new Date(Date.now() - 600_000);
      assert.equal(await post(signed(secret, event(9, 'delivered'), old)), 401, 'ten minutes old');
      assert.equal(read('select 1 from inbox').length, 1, 'nothing of that was stored');

      assert.equal(await post(good), 200);
      assert.equal(await post(signed(secret, event(5, 'submitted'))), 200);
      await until(
        'both are processed',
        () => read(`select 1 from inbox where processed_at is not null`).length === 3,
        waitMs,
      );
      const [row] = read(`select sequence, data from resources where id = 'rel_1'`);
      assert.deepEqual(
        [row?.['sequence'], JSON.parse(String(row?.['data'])).status],
        [9, 'delivered'],
      );
    });
  }

  test('the inbox: what was stored before a crash is processed by the next start, once', () => {
    const file = join(folder, 'crash.sqlite');
    const lines: string[] = [];
    const event = { id: 'evt_1', type: 'asset.ready', sequence: 3, data: { id: 'ast_1' } };
    const first = openInbox(file, (line) => lines.push(line));
    assert.equal(first.store(event), true);
    first.close();
    const second = openInbox(file, (line) => lines.push(line));
    assert.equal(second.store(event), false);
    second.drain();
    second.drain();
    second.close();
    assert.deepEqual(lines, ['asset.ready evt_1 updates ast_1']);
  });

  test('the inbox: an event whose work fails stays, and holds up no other', () => {
    const file = join(folder, 'failing.sqlite');
    const inbox = openInbox(file, () => undefined);
    inbox.store({ id: 'evt_1', type: 'asset.ready', sequence: 1, data: { id: 'ast_1' } });
    inbox.store({ id: 'evt_2', type: 'asset.ready', sequence: 2, data: { id: 'ast_2' } });
    const db = new DatabaseSync(file);
    db.exec(`update inbox set body = 'broken' where id = 'evt_1'`);
    inbox.drain();
    const pending = () => db.prepare('select id from inbox where processed_at is null').all();
    assert.deepEqual(
      pending().map((row) => row['id']),
      ['evt_1'],
    );
    db.exec(`update inbox set body = '{}' where id = 'evt_1'`);
    inbox.drain();
    assert.deepEqual(pending(), []);
    db.close();
    inbox.close();
  });
});
