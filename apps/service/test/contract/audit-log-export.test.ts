/** The export of the audit log (contract §4), and the script with which a partner verifies it without us. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

const script = join(import.meta.dirname, '../../../../examples/verify-audit-log.ts');

describe('the export of the audit log', () => {
  let service: TestService;
  let label: OrgClient;
  let folder: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    folder = await mkdtemp(join(tmpdir(), 'tonearm-audit-'));
    label = await service.givenOrganization({ label: 'Ærø “Records” 🎵' });
    const { json } = await label.call('POST', '/v1/releases', draft({ title: 'Zoë "∂"\\' }));
    for (const title of ['One', 'Two', 'Three']) {
      await label.call('PATCH', `/v1/releases/${json.id}`, { title });
    }
    await label.call('DELETE', `/v1/releases/${json.id}`);
    await service.sequenceEvents();
  });
  after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const download = (query = '', { key } = label) =>
    fetch(`${service.url}/v1/audit_log.jsonl${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });

  const linesOf = (text: string): Json[] =>
    text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

  const exported = async (query = '', caller = label): Promise<Json[]> =>
    linesOf(await (await download(query, caller)).text());

  /** What the partner's script says about these lines. */
  const verify = async (lines: readonly Json[], known?: string): Promise<string> => {
    const path = join(folder, 'audit-log.jsonl');
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const argv = known === undefined ? [] : ['--known', known];
    return new Promise((resolve) => {
      execFile(process.execPath, [script, path, ...argv], (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
  };

  test('contract §4: has every entry in the order of the chain, as the list shows it', async () => {
    const response = await download();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/jsonl; charset=utf-8');
    const lines = linesOf(await response.text());
    const { json } = await label.call('GET', '/v1/audit_log?limit=100');
    assert.deepEqual(
      lines.map(({ previous_hash: _previous, hashed_text: _text, ...entry }) => entry),
      json.data.toReversed(),
    );
    assert.equal(response.headers.get('audit-log-last-sequence'), String(lines.length));
    assert.equal(response.headers.get('link'), null);
    const last = lines.at(-1);
    assert.deepEqual([last.action, last.after_digest], ['release.delete', null]);
    assert.match(last.before_digest, /^[0-9a-f]{64}$/);
  });

  test('continues after a sequence, and refuses one that the log does not have', async () => {
    const all = await exported();
    assert.deepEqual(await exported('?after=3'), all.slice(3));
    assert.deepEqual(await exported(`?after=${all.length}`), []);
    const beyond = await label.call('GET', `/v1/audit_log.jsonl?after=${all.length + 1}`);
    assert.deepEqual([beyond.status, beyond.json.error.code], [400, 'invalid_parameter']);
    assert.match(beyond.json.error.message, new RegExp(`at most ${all.length}`));
    const negative = await label.call('GET', '/v1/audit_log.jsonl?after=-1');
    assert.equal(negative.json.error.code, 'invalid_parameter');
  });

  test('has at most 10,000 entries; a header says where it continues', async () => {
    const caller = await service.givenOrganization();
    await service.query(
      `insert into audit (org_id, id, action, audited_id, actor_type, actor_id, occurred_at)
       select $1, overlay(uuid7_floor('2026-11-15')::text placing lpad(to_hex(i), 12, '0') from 25)::uuid,
              'test.many', 'x', 'workflow', 'test', '2026-11-15'
         from generate_series(1, 10100) i`,
      [toUuid(caller.orgId as `org_${string}`)],
    );
    await service.sequenceEvents();
    const response = await download('', caller);
    const first = linesOf(await response.text());
    assert.equal(first.length, 10_000);
    assert.equal(response.headers.get('audit-log-last-sequence'), '10000');
    const next = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
    assert.equal(next, '/v1/audit_log.jsonl?after=10000');
    const rest = await exported('?after=10000', caller);
    assert.match(await verify([...first, ...rest]), /^intact up to 10103:/);
    const { hash } = first.at(-1);
    assert.match(await verify(rest, `10000:${hash}`), /^intact up to 10103:/);
  });

  test('an entry from before digests were stored is verified with its old text', async () => {
    const caller = await service.givenOrganization();
    await service.query(
      `insert into audit (org_id, id, action, audited_id, actor_type, actor_id, occurred_at)
       values ($1, uuid7_floor('2026-11-14'), 'release.create', 'rel_x', 'api_key', 'key_x', '2026-11-14')`,
      [toUuid(caller.orgId as `org_${string}`)],
    );
    await service.sequenceEvents();
    const lines = await exported('', caller);
    const old = lines.find(({ action }) => action === 'release.create');
    assert.equal(JSON.parse(old.hashed_text).length, 9);
    assert.match(await verify(lines), /^intact/);
    assert.match(
      await verify(
        lines.map((line) => (line === old ? { ...line, after_digest: '0'.repeat(64) } : line)),
      ),
      /NOT INTACT.*its fields/,
    );
  });

  describe('the partner’s script', () => {
    test('accepts the export, and prints what to keep', async () => {
      const lines = await exported();
      const { sequence, hash } = lines.at(-1);
      assert.equal(await verify(lines), `intact up to ${sequence}:${hash}\n`);
      assert.equal(
        await verify(lines, `${sequence}:${hash}`),
        `intact up to ${sequence}:${hash}\n`,
      );
      const known = lines[2];
      const continued = await verify(lines.slice(3), `3:${known.hash}`);
      assert.equal(continued, `intact up to ${sequence}:${hash}\n`);
    });

    const changedFields: Record<string, (line: Json) => object> = {
      id: ({ id }) => ({ id: id.replace(/.$/, id.endsWith('0') ? '1' : '0') }),
      action: () => ({ action: 'release.submit' }),
      resource_id: () => ({ resource_id: 'rel_x' }),
      actor: ({ actor }) => ({ actor: { ...actor, type: 'operator' } }),
      'the actor’s id': ({ actor }) => ({ actor: { ...actor, id: 'key_x' } }),
      request_id: () => ({ request_id: null }),
      before_digest: () => ({ before_digest: null }),
      after_digest: () => ({ after_digest: '0'.repeat(64) }),
      occurred_at: () => ({ occurred_at: '2026-11-15T12:00:00.001Z' }),
      sequence: ({ sequence }) => ({ sequence: sequence + 1 }),
      previous_hash: () => ({ previous_hash: '0'.repeat(64) }),
      hash: () => ({ hash: '0'.repeat(64) }),
      hashed_text: ({ hashed_text: text }) => ({ hashed_text: text.replace('update', 'delete') }),
    };
    for (const [name, change] of Object.entries(changedFields)) {
      test(`notices a change of ${name}`, async () => {
        const lines = await exported();
        const index = lines.findIndex(({ action }) => action === 'release.update');
        const changed = lines.map((line, i) => (i === index ? { ...line, ...change(line) } : line));
        assert.match(await verify(changed), /^NOT INTACT\./);
      });
    }

    test('notices a removed, an added and a moved entry, and a missing end', async () => {
      const lines = await exported();
      const { sequence, hash } = lines.at(-1);
      const known = `${sequence}:${hash}`;
      assert.match(await verify(lines.toSpliced(2, 1)), /^NOT INTACT.*missing/);
      assert.match(await verify(lines.toSpliced(2, 0, lines[2])), /^NOT INTACT/);
      assert.match(await verify([...lines.slice(0, 2), ...lines.slice(2).toReversed()]), /^NOT/);
      assert.match(await verify(lines.slice(0, -1), known), /^NOT INTACT.*ends with entry/);
      assert.match(await verify(lines.slice(1)), /^NOT INTACT.*begins with entry 2/);
      assert.match(await verify(lines.slice(1), `1:${'0'.repeat(64)}`), /^NOT INTACT/);
      assert.match(await verify(lines, `3:${'0'.repeat(64)}`), /^NOT INTACT.*not the one you know/);
      assert.match(await verify([]), /^NOT INTACT.*no entries/);
    });
  });

  test('a row changed, removed or added in the database is found by `audit verify` and by the script', async () => {
    const caller = await service.givenOrganization();
    const { json } = await caller.call('POST', '/v1/releases', draft());
    await caller.call('PATCH', `/v1/releases/${json.id}`, { title: 'Other' });
    await service.sequenceEvents();
    const org = toUuid(caller.orgId as `org_${string}`);
    const lines = await exported('', caller);
    const { sequence, hash } = lines.at(-1);
    const tampers: Record<string, string> = {
      'a digest': `update audit set after_digest = sha256('x') where org_id = $1 and sequence = 4`,
      'no digests': `update audit set before_digest = null, after_digest = null where org_id = $1 and sequence = 4`,
      'a byte': `update audit set actor_id = actor_id || 'x' where org_id = $1 and sequence = 2`,
      'a row less': `delete from audit where org_id = $1 and sequence = 3`,
      'the last row less': `delete from audit where org_id = $1 and sequence = (select max(sequence) from audit where org_id = $1)`,
      'a row more at the end': `insert into audit select org_id, uuid7_floor('2026-11-20'), action, audited_id, request_id, actor_type, actor_id, occurred_at, sequence + 1, hash from audit where org_id = $1 and sequence = (select max(sequence) from audit where org_id = $1)`,
      'a row more in the middle': `insert into audit select org_id, uuid7_floor('2026-11-20'), action, audited_id, request_id, actor_type, actor_id, occurred_at, sequence, hash from audit where org_id = $1 and sequence = 2`,
    };
    const verified = await service.admin('audit', 'verify', '--org', caller.orgId);
    assert.deepEqual([verified['intact'], verified['first_broken']], [true, null]);
    await service.query('create table kept as select * from audit where org_id = $1', [org]);
    for (const [name, statement] of Object.entries(tampers)) {
      await service.query(statement, [org]);
      const found = await service.admin('audit', 'verify', '--org', caller.orgId);
      assert.equal(found['intact'], false, name);
      const broken = await exported('', caller).catch(() => []);
      assert.match(await verify(broken, `${sequence}:${hash}`), /^NOT INTACT/, name);
      await service.query('delete from audit where org_id = $1', [org]);
      await service.query('insert into audit select * from kept');
      const restored = await service.admin('audit', 'verify', '--org', caller.orgId);
      assert.equal(restored['intact'], true, `${name}: restored`);
    }
    await service.query('delete from sequence_heads where org_id = $1', [org]);
    const headless = await service.admin('audit', 'verify', '--org', caller.orgId);
    assert.deepEqual([headless['intact'], headless['first_broken']], [false, 1]);
  });
});
