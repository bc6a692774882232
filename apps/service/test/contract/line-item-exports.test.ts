/** Exports of the line items of a statement: JSON lines and CSV, also continued (contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { openS3 } from '../../src/platform/storage/s3-storage.ts';
import type { Json } from '../delivery-fixture.ts';
import { formulaSigns, lineItemReportId } from '../line-item-file.ts';
import { openStallingProxy } from '../stalling-proxy.ts';
import { type GivenStatement, givenStatement } from '../statement-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';
import { s3Environment, s3OptionsOf } from '../test-storage.ts';

const pathOf = (id: string, path: string) => `/v1/statements/${id}${path}`;

describe('exports of line items', () => {
  let service: TestService;
  let partner: OrgClient;
  /** Of two files with several groups of rows. */
  let large: GivenStatement;
  /** By page. */
  let items: readonly Json[];
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
    large = await givenStatement(service, partner, { parts: [2_100, 4_097] });
    items = await walk(large.id);
  });
  after(() => service.close());

  const walk = async (id: string): Promise<Json[]> => {
    const path = pathOf(id, '/line-items?limit=100');
    const found: Json[] = [];
    for (let cursor = ''; cursor !== null;) {
      const { json } = await partner.call('GET', `${path}${cursor && `&cursor=${cursor}`}`);
      found.push(...json.data);
      cursor = json.next_cursor;
    }
    return found;
  };
  const exported = async (id: string, path: string, query = ''): Promise<string> => {
    const reply = await partner.call('GET', pathOf(id, `${path}${query}`));
    assert.equal(reply.status, 200, reply.text);
    return reply.text;
  };
  const jsonLines = (text: string): Json[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  test('JSON lines are the items of the pages', async () => {
    const text = await exported(large.id, '/line-items.jsonl');
    assert.ok(text.endsWith('\n'));
    assert.deepEqual(jsonLines(text), items);
  });

  test('CSV has the same values, quoted as in RFC 4180', async () => {
    const rows = parseCsv(await exported(large.id, '/line-items.csv'));
    const [names = [], ...lines] = rows;
    assert.deepEqual(names, Object.keys(items[0]));
    const texts = items.map((item) => names.map((name) => String(item[name] ?? '')));
    assert.deepEqual(lines.map(withoutApostrophe), texts);
  });

  test('CSV: no title is a formula of a spreadsheet; negative numbers keep their minus', async () => {
    const [names = [], ...lines] = parseCsv(await exported(large.id, '/line-items.csv'));
    const [title, earnings] = [names.indexOf('title'), names.indexOf('earnings')];
    const guarded = new Set(lines.map((line) => line[title]?.slice(0, 2)));
    for (const sign of formulaSigns) assert.ok(guarded.has(`'${sign}`), sign);
    assert.ok(lines.every((line) => !/^[=+\-@\t\r]/.test(line[title] ?? '')));
    assert.ok(lines.some((line) => line[earnings]?.startsWith('-')));
    const ofItems = new Set(items.map((item) => item.title[0]));
    for (const sign of formulaSigns) assert.ok(ofItems.has(sign), 'JSON has the title as it is');
  });

  const withoutApostrophe = (line: string[]): string[] =>
    line.map((cell) => cell.replace(/^'(?=[=+\-@])/, ''));

  test('the answer says what it is', async () => {
    for (const [path, type] of [
      ['/line-items.jsonl', 'application/jsonl; charset=utf-8'],
      ['/line-items.csv', 'text/csv; charset=utf-8'],
    ] as const) {
      const { headers } = await partner.call('GET', pathOf(large.id, path));
      assert.equal(headers.get('content-type'), type);
      const name = `${large.id}-line-items.${path.split('.')[1]}`;
      assert.equal(headers.get('content-disposition'), `attachment; filename="${name}"`);
    }
  });

  for (const path of ['/line-items.jsonl', '/line-items.csv']) {
    test(`${path}: a download that was cut continues after its last complete line`, async () => {
      const whole = await exported(large.id, path);
      const cut = await downloadPartOf(pathOf(large.id, path), 100_000);
      assert.ok(whole.startsWith(cut) && cut.length < whole.length, 'it was cut');
      const complete = cut.slice(0, cut.lastIndexOf('\n') + 1);
      const lastLine = complete.trimEnd().split('\n').at(-1) ?? '';
      const id = /sli_\w{26}/.exec(lastLine)?.[0];
      const rest = await exported(large.id, path, `?after=${id}`);
      assert.equal(complete + rest, whole);
    });

    test(`${path}: continues after any item, also the last of a group, a file and the statement`, async () => {
      const lines = (await exported(large.id, path)).split(/(?<=\n)/);
      const ofItems = path.endsWith('csv') ? lines.slice(1) : lines;
      for (const position of [1, 2_048, 2_100, 2_101, 4_148, 6_196, 6_197]) {
        const id = /sli_\w{26}/.exec(ofItems[position - 1] ?? '')?.[0];
        const rest = await exported(large.id, path, `?after=${id}`);
        assert.equal(rest, ofItems.slice(position).join(''), String(position));
      }
    });

    test(`${path}: refuses to continue after an item that the statement does not have`, async () => {
      const other = await givenStatement(service, partner, {
        parts: [1],
        month: path.endsWith('csv') ? '2025-05' : '2025-06',
      });
      const data = await walk(other.id);
      const beyond = 'sli_7zzzzzzzzz'.padEnd(30, 'z');
      for (const itemId of [data[0].id, beyond, 'sli_1', lineItemReportId, '5', '']) {
        const query = `?after=${itemId}`;
        const { status, json } = await partner.call('GET', pathOf(large.id, `${path}${query}`));
        assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], itemId);
        assert.equal(json.error.details[0].field, 'after');
      }
    });
  }

  /** Until about this many bytes; then the connection is closed. */
  const downloadPartOf = async (path: string, bytes: number): Promise<string> => {
    const aborting = new AbortController();
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${partner.key}` },
      signal: aborting.signal,
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= bytes) break;
    }
    aborting.abort();
    return Buffer.concat(chunks).subarray(0, bytes).toString('utf8').replace(/�$/, '');
  };

  test('a file that is lost is our defect: no page and no export pretends to be complete', async () => {
    const { id, objectKeys } = await givenStatement(service, partner, {
      parts: [2_100],
      month: '2025-07',
    });
    await service.storage.remove(objectKeys[0] ?? '');
    const { status } = await partner.call('GET', pathOf(id, '/line-items'));
    assert.equal(status, 500);
    await assert.rejects(exported(id, '/line-items.jsonl'));
  });
});

describe('a storage that falls silent during an export', () => {
  let service: TestService;
  let partner: OrgClient;
  let proxy: Awaited<ReturnType<typeof openStallingProxy>>;
  /** Called before each range is read. */
  let beforeRead = (): void | Promise<void> => undefined;
  before(async () => {
    const options = s3OptionsOf(s3Environment());
    proxy = await openStallingProxy(Number(new URL(options.endpoint).port));
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    const timeouts = { connectMs: 5_000, silenceMs: 1_000, attempts: 2 };
    const storage = openS3({ ...options, endpoint }, timeouts);
    service = await openTestService({
      now: '2026-11-16T09:00:00Z',
      storage: {
        ...storage,
        readRange: async (...range) => {
          await beforeRead();
          return storage.readRange(...range);
        },
      },
    });
    partner = await service.givenOrganization();
  });
  after(async () => {
    await service.close();
    await proxy.close();
  });

  for (const [where, bytes] of [
    ['before its answer', 0],
    ['in the middle of its answer', 5_000],
  ] as const) {
    test(`${where}: the connection breaks, and the download continues after its last line`, async () => {
      // Its own statement: no group of it is in the memory of the api. The third read is that of the second group.
      const statement = await givenStatement(service, partner, {
        parts: [2_100, 4_097],
        month: bytes === 0 ? '2026-09' : '2026-10',
      });
      let reads = 0;
      beforeRead = () => {
        reads += 1;
        if (reads === 3) proxy.stallAfter(bytes);
      };
      const path = `/v1/statements/${statement.id}/line-items.jsonl`;
      const startedAt = Date.now();
      const cut = await downloadUntilBroken(path);
      const seconds = (Date.now() - startedAt) / 1_000;
      assert.ok(cut.isBroken, 'a clean end would say that it is complete');
      assert.ok(seconds < 30, `${seconds} s`);
      beforeRead = () => undefined;
      proxy.recover();
      const complete = cut.text.slice(0, cut.text.lastIndexOf('\n') + 1);
      const id = /sli_\w{26}/.exec(complete.trimEnd().split('\n').at(-1) ?? '')?.[0];
      const rest = await partner.call('GET', `${path}?after=${id}`);
      assert.equal(rest.status, 200);
      const ids = `${complete}${rest.text}`.match(/(?<="id":")sli_\w+/g) ?? [];
      assert.ok(complete !== '' && rest.text !== '');
      assert.deepEqual([ids.length, new Set(ids).size], [6_197, 6_197]);
    });
  }

  test('contract §7: of nine exports of an organization at once one is 429; a closed connection frees its place', async () => {
    const statement = await givenStatement(service, partner, { parts: [10], month: '2026-08' });
    const other = await service.givenOrganization();
    const ofOther = await givenStatement(service, other, { parts: [10], month: '2026-08' });
    const open = (by: OrgClient, { id }: { readonly id: string }, signal?: AbortSignal) =>
      fetch(`${service.url}/v1/statements/${id}/line-items.jsonl`, {
        headers: { authorization: `Bearer ${by.key}` },
        ...(signal !== undefined && { signal }),
      });
    const gate = Promise.withResolvers<void>();
    beforeRead = () => gate.promise;
    const closing = new AbortController();
    const nine = Array.from({ length: 9 }, () => open(partner, statement, closing.signal));
    const refused = await Promise.race(nine);
    assert.equal(refused.status, 429);
    const { error } = (await refused.json()) as Json;
    assert.deepEqual([error.code, error.details[0].field], ['quota_exceeded', 'open_exports']);
    closing.abort();
    const ended = await Promise.allSettled(nine);
    assert.equal(ended.filter(({ status }) => status === 'rejected').length, 8);
    gate.resolve();
    assert.equal((await open(other, ofOther)).status, 200);
    await until('a place is free', async () => (await open(partner, statement)).status === 200);
  });

  const downloadUntilBroken = async (path: string) => {
    const response = await fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${partner.key}` },
    });
    const chunks: Uint8Array[] = [];
    let isBroken = false;
    try {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    } catch {
      isBroken = true;
    }
    return { isBroken, text: Buffer.concat(chunks).toString('utf8') };
  };
});

/** RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const value = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  for (let match = value.exec(text); match !== null; match = value.exec(text)) {
    const [, cell = '', end] = match;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
    if (value.lastIndex === text.length) break;
  }
  return rows;
}
