/** Contract §4: the proof of a statement, the entries that it counts, and the script that adds it up again. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { upload } from '../../src/platform/storage/transfer.ts';
import { columnTypes, numberColumn } from '../../src/royalties/connectors/parquet-columns.ts';
import { createParquetWriter } from '../../src/royalties/connectors/parquet-file.ts';
import { setExact } from '../../src/royalties/domain/exact-number.ts';
import { findRunInputs } from '../../src/royalties/store/statement-artifacts.ts';
import type { Json } from '../delivery-fixture.ts';
import { bytesOf, openProofFixture, type ProofFixture } from '../proof-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const script = join(import.meta.dirname, '../../../../examples/verify-statement.ts');
const uuidOf = (id: string): string => toUuid(id as Id<string>);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('contract §4: the proof of a statement', () => {
  let fixture: ProofFixture;
  let partner: OrgClient;
  let stranger: OrgClient;
  let statement: Json;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonearm-proof-'));
    fixture = await openProofFixture();
    ({ partner, stranger, statement } = fixture);
  });
  after(async () => {
    await fixture.close();
    await rm(folder, { recursive: true });
  });

  const proofOf = (shown: Json): Promise<Json> => fixture.proofOf(shown);

  /** What the script of the partner says. */
  const verify = ({ id }: Json, { key } = partner): Promise<string> => {
    const env = { ...process.env, TONEARM_URL: fixture.service.url, TONEARM_API_KEY: key };
    return new Promise((resolve) => {
      execFile(process.execPath, [script, id], { env }, (error, stdout, stderr) =>
        resolve(error === null ? stdout : `refused: ${stderr}`),
      );
    });
  };

  test('has every file with its digest, rows and sum', async () => {
    const proof = await proofOf(statement);
    assert.deepEqual(
      proof.artifacts.map(({ kind }: Json) => kind),
      ['items', 'royalties'],
    );
    for (const artifact of proof.artifacts) {
      const bytes = await bytesOf(artifact);
      assert.deepEqual([sha256(bytes), bytes.length], [artifact.sha256, artifact.size_bytes]);
    }
    const [items, royalties] = proof.artifacts;
    assert.deepEqual(
      [items.amount, royalties.amount, items.row_count, items.first_position],
      [statement.gross_amount, statement.net_amount, statement.line_item_count, 1],
    );
    const { document: _document, ...shown } = (
      await partner.call('GET', `/v1/statements/${statement.id}`)
    ).json;
    assert.deepEqual(proof.statement, shown);
    assert.match(proof.run.input_digest, /^[0-9a-f]{64}$/);
    assert.ok(Date.parse(proof.urls_expire_at) > fixture.service.clock.now().getTime());
  });

  test('has the ledger between the opening and the closing, to be added up', async () => {
    const { ledger, adjustments } = await proofOf(statement);
    assert.deepEqual(ledger.movements, [
      movement('held', 'earnings.held', null, 1, '3.000000'),
      movement('payable', 'adjustment.created', 'adjustment_amount', 1, '5.250000'),
      movement('payable', 'earnings.held', null, 1, '-3.000000'),
      movement('payable', 'statement.published', 'net_amount', 1, statement.net_amount),
    ]);
    assert.deepEqual(adjustments, { count: 1, amount: '5.250000' });
    const byAdjustment = `/v1/adjustments?statement_id=${statement.id}`;
    const { json } = await partner.call('GET', byAdjustment);
    assert.deepEqual(
      json.data.map(({ amount }: Json) => amount),
      ['5.250000'],
    );
    assert.deepEqual(ledger.accounts[1].closing_balance, statement.available_amount);
    assert.deepEqual(ledger.accounts[0].closing_balance, statement.held_amount);
  });

  const movement = (
    account: string,
    cause_type: string,
    counted_in: string | null,
    entry_count: number,
    amount: string,
  ) => ({ account, cause_type, counted_in, entry_count, amount });

  test('contract §1: entries are listed by account and version, page by page', async () => {
    const path = `/v1/statements/${statement.id}/ledger-entries`;
    const whole = (await partner.call('GET', path)).json.data;
    const walked: Json[] = [];
    for (let query = '?limit=1'; ;) {
      const { json } = await partner.call('GET', path + query);
      walked.push(...json.data);
      if (json.next_cursor === null) break;
      query = `?limit=1&cursor=${json.next_cursor}`;
    }
    assert.deepEqual(walked, whole);
    assert.equal(whole.length, 4);
    assert.deepEqual(
      whole.map(({ account }: Json) => account),
      ['held', 'payable', 'payable', 'payable'],
    );
    const cursor = (await partner.call('GET', `${path}?limit=1`)).json.next_cursor;
    const [, before_] = (await partner.call('GET', '/v1/statements?status=published')).json.data;
    const other = `/v1/statements/${before_.id}/ledger-entries?limit=1&cursor=${cursor}`;
    const refused = await partner.call('GET', other);
    assert.deepEqual([refused.status, refused.json.error.code], [400, 'invalid_cursor']);
  });

  test('an open statement has none: 409 invalid_state; unknown and foreign ones: 404', async () => {
    const { json } = await partner.call('GET', '/v1/statements?status=open');
    const [open] = json.data;
    for (const path of ['proof', 'ledger-entries']) {
      const early = await partner.call('GET', `/v1/statements/${open.id}/${path}`);
      assert.deepEqual([early.status, early.json.error.code], [409, 'invalid_state']);
      const foreign = await stranger.call('GET', `/v1/statements/${statement.id}/${path}`);
      assert.deepEqual([foreign.status, foreign.json.error.code], [404, 'resource_not_found']);
      const unknown = await partner.call(
        'GET',
        `/v1/statements/stm_01h455vb4pex5vsknk084sn02q/${path}`,
      );
      assert.equal(unknown.json.error.message, foreign.json.error.message);
    }
  });

  test('another organization cannot find the run or the reports of a statement', async () => {
    const find = ({ orgId }: OrgClient) =>
      fixture.service.workerDb.readOnce(orgId as Id<'org'>, (db) =>
        findRunInputs(db, statement.id),
      );
    assert.equal((await find(partner))?.rulesVersion, '1');
    assert.equal(await find(stranger), undefined);
  });

  describe('the partner’s script', () => {
    test('has 50 lines, and needs Node alone', async () => {
      const text = await readFile(script, 'utf8');
      assert.ok(text.trimEnd().split('\n').length <= 50);
      const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
      assert.ok(
        imports.every((name) => /^(node:|\.\/)/.test(name)),
        imports.join(),
      );
    });

    test('proves untouched statements', async () => {
      const { json } = await partner.call('GET', '/v1/statements?status=published');
      assert.equal(json.data.length, 2);
      for (const each of json.data) assert.equal(await verify(each), `${each.id} is proved\n`);
    });

    test('refuses a statement of another organization', async () => {
      assert.match(await verify(statement, stranger), /^refused: [^]*No statement of your/);
    });

    const artifactRow = async (kind: string): Promise<Json> => {
      const [row] = await fixture.service.query(
        `select * from statement_artifacts where statement_id = $1 and kind = $2`,
        [uuidOf(statement.id), kind],
      );
      return row;
    };
    const put = async (key: string, bytes: Uint8Array): Promise<void> => {
      const path = join(folder, 'changed.parquet');
      await writeFile(path, bytes);
      await upload(fixture.service.storage, path, key, new AbortController().signal);
    };

    test('finds one changed byte', async () => {
      for (const kind of ['items', 'royalties']) {
        const { object_key: key } = await artifactRow(kind);
        const { artifacts } = await proofOf(statement);
        const whole = await bytesOf(artifacts.find((each: Json) => each.kind === kind));
        const changed = Buffer.from(whole);
        const place = changed.length >> 1;
        changed[place] = (changed[place] ?? 0) ^ 1;
        await put(key, changed);
        assert.match(await verify(statement), new RegExp(`refused: [^]*digest of ${kind} 1`));
        await put(key, whole);
        assert.match(await verify(statement), /is proved/);
      }
    });

    /** As if the file had been written so, with its digest, its number of rows and its sum. */
    test('finds one missing row, also if its digest and its sum were changed too', async () => {
      const [first] = (
        await partner.call('GET', '/v1/statements?status=published&limit=100')
      ).json.data.slice(-1);
      const [row] = await fixture.service.query(
        `select * from statement_artifacts where statement_id = $1 and kind = 'items'`,
        [uuidOf(first.id)],
      );
      assert.equal(Number(row.row_count), 3);
      const { artifacts } = await proofOf(first);
      const whole = await bytesOf(artifacts[0]);
      const earnings = numberColumn('earnings', columnTypes.amount);
      const writer = createParquetWriter([earnings]);
      setExact(earnings, 0, 100_623_456);
      setExact(earnings, 1, -3_500_000);
      writer.writeGroup(2);
      const shorter = writer.endFile();
      await put(row.object_key, shorter);
      const change = (digest: Buffer, rows: number, amount: string) =>
        fixture.service.query(
          `update statement_artifacts set sha256 = $2, row_count = $3, amount = $4
            where statement_id = $1 and kind = 'items'`,
          [uuidOf(first.id), digest, rows, amount],
        );
      const digest = Buffer.from(sha256(shorter), 'hex');
      await change(digest, 3, row.amount);
      assert.match(await verify(first), /refused: [^]*rows of items 1/);
      await change(digest, 2, '97.123456');
      assert.match(await verify(first), /refused: [^]*(rows of items|earnings)/);
      await put(row.object_key, whole);
      await change(row.sha256, 3, row.amount);
      assert.match(await verify(first), /is proved/);
    });

    const altered: Record<string, readonly [table: string, set: string, where: string]> = {
      'the sum of a file': ['statement_artifacts', 'amount = amount + 0.000001', `kind = 'items'`],
      'the gross of the statement': [
        'statements',
        'gross_amount = gross_amount + 0.000001, net_amount = net_amount + 0.000001, closing_balance = closing_balance + 0.000001, available_amount = available_amount + 0.000001',
        'true',
      ],
      'the payouts and the closing balance': [
        'statements',
        'payout_amount = payout_amount + 0.000001, closing_balance = closing_balance - 0.000001, available_amount = available_amount - 0.000001',
        'true',
      ],
      'the adjustments and the opening balance': [
        'statements',
        'adjustment_amount = adjustment_amount + 0.000001, opening_balance = opening_balance - 0.000001',
        'true',
      ],
    };
    for (const [name, [table, set, where]] of Object.entries(altered)) {
      test(`finds one altered sum: ${name}`, async () => {
        const id = uuidOf(statement.id);
        const column = table === 'statements' ? 'id' : 'statement_id';
        const { service } = fixture;
        const off = `alter table ${table} disable trigger user`;
        await service.query(off);
        const back = await service.query(
          `select * from ${table} where ${column} = $1 and ${where}`,
          [id],
        );
        await service.query(`update ${table} set ${set} where ${column} = $1 and ${where}`, [id]);
        assert.match(await verify(statement), /^refused: /);
        const undo = set.replaceAll('+ 0', '# 0').replaceAll('- 0', '+ 0').replaceAll('# 0', '- 0');
        await service.query(`update ${table} set ${undo} where ${column} = $1 and ${where}`, [id]);
        await service.query(`alter table ${table} enable trigger user`);
        assert.deepEqual(
          await service.query(`select * from ${table} where ${column} = $1 and ${where}`, [id]),
          back,
        );
        assert.match(await verify(statement), /is proved/);
      });
    }

    test('finds an altered entry of the ledger', async () => {
      const org = uuidOf(partner.orgId);
      const change = (difference: string) =>
        fixture.service.query(
          `update ledger_entries set amount = amount + ${difference}
            where org_id = $1 and account = 'payable' and version = (select max(version) from ledger_entries where org_id = $1 and account = 'payable')`,
          [org],
        );
      await change('0.000001');
      assert.match(await verify(statement), /^refused: [^]*payable/);
      await change('-0.000001');
      assert.match(await verify(statement), /is proved/);
    });
  });
});
