/** What operators of `prove money` set up, and what they move in balances, however often servers die. */

import { workflowOwner } from '../../src/kernel/actor.ts';
import { toUuid } from '../../src/kernel/ids.ts';
import { toMicros } from '../../src/kernel/money.ts';
import { packTerritories } from '../../src/kernel/territory-set.ts';
import { territoryCodes } from '../../src/kernel/territory.ts';
import { transfer } from '../../src/money/domain/ledger.ts';
import { post } from '../../src/money/store/ledger.ts';
import {
  type Book,
  type FeeRule,
  type Partner,
  storePaidOnReport,
  type WithholdingRule,
} from './money-book.ts';
import type { MoneyStack } from './money-stack.ts';
import { deliveryUuid, holdings, partnerCount, releaseUuid } from './money-world.ts';
import type { Random } from './random.ts';

export type MoneyOffice = {
  readonly stack: MoneyStack;
  readonly random: Random;
  readonly book: Book;
  readonly rateSet: string;
  /** Without the rates that runs need. */
  readonly emptyRateSet: string;
};

const heldFrom = '2015-01-01T00:00:00Z';
const rates = { 'EUR/USD': '1.0834567891', 'USD/EUR': '0.9229717345' };

const general = { store: null, use_type: null, from: '2015-01', to: null };
/** The first partner has a rule of its own until a month, then the platform's. */
const feeRules: readonly FeeRule[] = [
  { ...general, partner: null, basis_points: 1505 },
  { ...general, partner: null, basis_points: 1390, from: '2020-03' },
  { ...general, partner: 0, basis_points: 1000, to: '2020-01' },
  { ...general, partner: 0, basis_points: 333, use_type: 'download' },
  { ...general, partner: 1, basis_points: 1250, store: 'dsr' },
  { ...general, partner: 1, basis_points: 777, use_type: 'subscription_stream' },
  { ...general, partner: 2, basis_points: 1100, from: '2020-02' },
];
const withholdingRules: readonly WithholdingRule[] = [
  { territory: 'US', income_type: 'royalty', basis_points: 3000, from: '2015-01', to: null },
  { territory: 'US', income_type: 'royalty', basis_points: 2400, from: '2020-03', to: null },
  { territory: 'US', income_type: 'sale', basis_points: 525, from: '2015-01', to: null },
  { territory: 'GB', income_type: 'royalty', basis_points: 1000, from: '2015-01', to: '2020-01' },
];

export async function openOffice(stack: MoneyStack, random: Random): Promise<MoneyOffice> {
  const { admin, query } = stack;
  const found = await query('select store_id from stores order by store_id limit 3');
  const [plain = '', fiscal = '', dsr = ''] = found.map(({ store_id }) => String(store_id));
  const partners: Partner[] = [];
  for (let i = 0; i < partnerCount; i++) {
    const currency = i % 2 === 0 ? 'EUR' : 'USD';
    const flags = ['--name', `Partner ${i}`, '--tier', 'growth', '--statement-currency', currency];
    const { id } = await admin(['org', 'create', ...flags]);
    partners.push({ orgId: id, currency });
  }
  const book: Book = {
    partners,
    storeIds: { plain, fiscal, dsr },
    feeRules: [...feeRules],
    withholdingRules: [...withholdingRules],
    rates,
    reports: [],
    payments: [],
    closedRuns: [],
    balances: partners.map(() => 0n),
  };
  await insertHoldings(stack, book);
  await setRules(stack, book);
  const set = (name: string, given: Readonly<Record<string, string>>) =>
    admin(
      ['fx-rate-sets', 'create', '--name', name, '--as-of', '2020-01-31'].concat(
        Object.entries(given).flatMap(([pair, rate]) => ['--rate', `${pair}=${rate}`]),
      ),
    );
  const rateSet = await set('all', rates);
  const emptyRateSet = await set('none', { 'GBP/JPY': '190' });
  await admin(['stores', 'pay-on', '--store', book.storeIds[storePaidOnReport], '--on', 'report']);
  return { stack, random, book, rateSet: rateSet.id, emptyRateSet: emptyRateSet.id };
}

async function insertHoldings({ query }: MoneyStack, { partners, storeIds }: Book): Promise<void> {
  const territories = Buffer.from(packTerritories(territoryCodes));
  for (const storeId of Object.values(storeIds)) {
    for (const { code, owner, trackUuid } of holdings) {
      const { orgId } = partners[owner.partner]!;
      const ids = [toUuid(orgId), deliveryUuid(owner), releaseUuid(owner), trackUuid];
      await query(
        `insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [storeId, code, ...ids, territories, heldFrom],
      );
    }
  }
}

async function setRules({ admin }: MoneyStack, { partners, storeIds }: Book): Promise<void> {
  const validity = ({ basis_points, from, to }: FeeRule | WithholdingRule) =>
    ['--basis-points', String(basis_points), '--from', from].concat(
      to === null ? [] : ['--to', to],
    );
  for (const rule of feeRules) {
    const { partner, store, use_type: use } = rule;
    const org = partner === null ? 'platform' : partners[partner]!.orgId;
    await admin(
      ['fee-rules', 'set', '--org', org, ...validity(rule)].concat(
        store === null ? [] : ['--store', storeIds[store]],
        use === null ? [] : ['--use-type', use],
      ),
    );
  }
  for (const rule of withholdingRules) {
    const of = ['--source', rule.territory, '--income', rule.income_type, '--form', 'any'];
    await admin(['withholding-rules', 'set', ...of, ...validity(rule)]);
  }
}

const microsPerUnit = 1_000_000n;

/** Corrections, some above the balance, and payouts of what is left. */
export async function moveBalances(office: MoneyOffice, name: string): Promise<void> {
  const { stack, random, book } = office;
  for (const [number, partner] of book.partners.entries()) {
    const { orgId, currency } = partner;
    const [row] = await stack.query(
      `select balance_after::float8 as balance from ledger_entries
        where org_id = $1 and currency = $2 and account = 'payable' order by version desc limit 1`,
      [toUuid(orgId), currency],
    );
    const balance = Number(row?.balance ?? 0);
    if (random.below(3) === 0) {
      const whole = BigInt(Math.ceil(Math.abs(balance)) + 7);
      const amount = random.below(4) === 0 ? -(whole * microsPerUnit + 250_001n) : 3_500_000n;
      await correct(stack, partner, `Correction ${name} ${orgId}`, amount);
      book.balances[number]! += amount;
    } else if (balance > 2) {
      const whole = BigInt(Math.floor(balance / 2));
      await payOut(stack, partner, name, whole);
      book.balances[number]! -= (whole - 1n) * microsPerUnit;
    }
  }
}

async function correct(
  stack: MoneyStack,
  { orgId, currency }: Partner,
  reason: string,
  micros: bigint,
): Promise<void> {
  const size = micros < 0n ? -micros : micros;
  const amount = `${micros < 0n ? '-' : ''}${size / microsPerUnit}.${String(size % microsPerUnit).padStart(6, '0')}`;
  const flags = ['--currency', currency, `--amount=${amount}`, '--reason', reason];
  await stack.admin(
    ['adjustments', 'create', '--org', orgId, '--type', 'correction', ...flags],
    async () => (await stack.query('select id from adjustments where reason = $1', [reason]))[0],
  );
}

/** As a payout posts it, of which the rail took all but one unit yet. */
async function payOut(
  stack: MoneyStack,
  { orgId, currency }: Partner,
  name: string,
  whole: bigint,
): Promise<void> {
  const key = `${name} ${orgId}`;
  const of = (units: bigint) => ({ amount: toMicros(units * microsPerUnit), currency });
  const created = {
    key: `payout.created:${key}`,
    entries: transfer(of(whole), 'payable', 'payout_reserved'),
  };
  const sent = {
    key: `payout.in_transit:${key}`,
    entries: transfer(of(whole - 1n), 'payout_reserved', 'cash'),
  };
  await stack.persist(
    async () => {
      await stack.service.workerDb.transact(workflowOwner(orgId, 'proof'), async (tx) => {
        post(tx, whole > 1n ? [created, sent] : [created]);
      });
      return true;
    },
    async () => {
      const text = 'select 1 from ledger_transactions where key = $1';
      return (await stack.query(text, [created.key])).length > 0 || undefined;
    },
  );
}
