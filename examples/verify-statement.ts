/**
 * Adds up a published statement again with Node 24 alone, its files row by row and the ledger entry by entry:
 * TONEARM_URL=https://… TONEARM_API_KEY=ta_… node examples/verify-statement.ts stm_…
 */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { sumAmounts } from './parquet-amounts.ts';

const path = `${process.env['TONEARM_URL']}/v1/statements/${process.argv[2]}`;
const headers = { authorization: `Bearer ${process.env['TONEARM_API_KEY']}` };
// oxlint-disable-next-line typescript/no-explicit-any -- the API reference says what each field is
const get = async (url: string): Promise<any> => (await fetch(url, { headers })).json();
const micros = (amount: string) => BigInt(amount.replace('.', ''));
const found: Record<string, bigint> = {};
const add = (name: string, value: bigint) => (found[name] = (found[name] ?? 0n) + value);
const check = (name: string, stated: bigint) => assert.equal(found[name] ?? 0n, stated, name);
const { statement, artifacts, ledger, error } = await get(`${path}/proof`);
assert.equal(error, undefined, error?.message);
for (const { kind, part, sha256, row_count, amount, url } of artifacts) {
  const file = Buffer.from(await (await fetch(url)).arrayBuffer());
  assert.equal(hash('sha256', file), sha256, `digest of ${kind} ${part}`);
  const { rows, ...sums } = sumAmounts(file);
  for (const [name, sum] of Object.entries({ ...sums, [`rows of ${kind}`]: rows })) add(name, sum);
  const sum = sums[kind === 'items' ? 'earnings' : 'net_amount'] ?? 0n;
  assert.deepEqual([rows, sum], [BigInt(row_count), micros(amount)], `rows of ${kind} ${part}`);
}
for (const { account, opening_balance } of ledger.accounts) add(account, micros(opening_balance));
for (const { opening_balance } of ledger.accounts) add('balance', micros(opening_balance));
check('balance', micros(statement.opening_balance));
for (let cursor = ''; cursor !== null;) {
  const page = await get(`${path}/ledger-entries?limit=100${cursor && `&cursor=${cursor}`}`);
  for (const { account, amount, balance_after, counted_in } of page.data) {
    for (const name of [account, 'balance', `${counted_in} in the ledger`])
      add(name, micros(amount));
    check(account, micros(balance_after));
  }
  cursor = page.next_cursor;
}
check('balance', micros(statement.closing_balance));
for (const { account, closing_balance } of ledger.accounts) check(account, micros(closing_balance));
for (const name of ['gross_amount', 'fee_amount', 'source_tax_amount', 'payee_tax_amount'])
  check(name, micros(statement[name]));
for (const name of ['net_amount', 'net_amount in the ledger'])
  check(name, micros(statement.net_amount));
check('earnings', micros(statement.gross_amount));
check('rows of items', BigInt(statement.line_item_count));
check('adjustment_amount in the ledger', micros(statement.adjustment_amount));
check('payout_amount in the ledger', -micros(statement.payout_amount));
check('null in the ledger', 0n);
console.log(`${statement.id} is proved`);
