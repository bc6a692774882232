/** What operators do in `prove money`: rules, reports, payments and balances, however often servers die. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowOwner } from '../../src/kernel/actor.ts';
import { type Id, type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { toMicros } from '../../src/kernel/money.ts';
import { packTerritories } from '../../src/kernel/territory-set.ts';
import { territoryCodes } from '../../src/kernel/territory.ts';
import { transfer } from '../../src/money/domain/ledger.ts';
import { post } from '../../src/money/store/ledger.ts';
import type { Json } from '../delivery-fixture.ts';
import type { MoneyStack } from './money-stack.ts';
import {
  type ExpectedReport,
  type MadeReport,
  partnerCount,
  type StoreName,
  tracks,
  uuidOf,
} from './money-world.ts';
import type { Random } from './random.ts';

export type Partner = { readonly orgId: OrgId; readonly currency: 'EUR' | 'USD' };
export type ReceivedReport = { readonly id: Id<'rpt'>; readonly expected: ExpectedReport };

export type MoneyOffice = {
  readonly stack: MoneyStack;
  readonly random: Random;
  readonly partners: readonly Partner[];
  readonly storeIds: Readonly<Record<StoreName, string>>;
  readonly rateSet: string;
  /** Without the rates that runs need. */
  readonly emptyRateSet: string;
};

const heldFrom = '2015-01-01T00:00:00Z';

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
  const territories = Buffer.from(packTerritories(territoryCodes));
  for (const storeId of [plain, fiscal, dsr]) {
    for (const { isrc, partners: owners } of tracks) {
      for (const owner of owners) {
        await query(
          `insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            storeId,
            isrc,
            toUuid(partners[owner]!.orgId),
            uuidOf(`delivery ${owner}`),
            uuidOf(`release ${owner} ${isrc.slice(0, -2)}`),
            uuidOf(`track ${owner} ${isrc}`),
            territories,
            heldFrom,
          ],
        );
      }
    }
  }
  await setRules(stack, partners, dsr);
  const set = (name: string, ...rates: string[]) =>
    admin(
      ['fx-rate-sets', 'create', '--name', name, '--as-of', '2020-01-31'].concat(
        rates.flatMap((rate) => ['--rate', rate]),
      ),
    );
  const rateSet = await set('all', 'EUR/USD=1.0834567891', 'USD/EUR=0.9229717345');
  const emptyRateSet = await set('none', 'GBP/JPY=190');
  await admin(['stores', 'pay-on', '--store', plain, '--on', 'report']);
  const storeIds = { plain, fiscal, dsr };
  return { stack, random, partners, storeIds, rateSet: rateSet.id, emptyRateSet: emptyRateSet.id };
}

async function setRules(
  { admin }: MoneyStack,
  [first, second]: readonly Partner[],
  storeId: string,
): Promise<void> {
  const fee = (org: string, basisPoints: string, ...rest: string[]) =>
    admin(
      ['fee-rules', 'set', '--org', org, '--basis-points', basisPoints, '--from', '2015-01'].concat(
        rest,
      ),
    );
  await fee('platform', '1505');
  await fee(first!.orgId, '1000');
  await fee(first!.orgId, '333', '--use-type', 'download');
  await fee(second!.orgId, '1250', '--store', storeId);
  const withhold = (income: string, basisPoints: string) =>
    admin(
      ['withholding-rules', 'set', '--source', 'US', '--income', income].concat([
        '--basis-points',
        basisPoints,
        '--from',
        '2015-01',
        '--form',
        'any',
      ]),
    );
  await withhold('royalty', '3000');
  await withhold('sale', '525');
}

/** Registers the files and waits until they are read. */
export async function receive(
  { stack, storeIds }: MoneyOffice,
  { store, format, files, expected }: MadeReport,
  name: string,
): Promise<ReceivedReport> {
  const paths = files.map((content, i) => {
    const path = join(stack.scratch, `${name}-${i + 1}.txt`);
    writeFileSync(path, content);
    return path;
  });
  const flags = ['--store', storeIds[store], '--format', format];
  const { id } = await stack.admin(
    ['reports', 'receive', ...flags].concat(paths.flatMap((path) => ['--file', path])),
  );
  await stack.waitFor(`${name} is read`, async () => {
    const [row] = await stack.query('select status, rejection from store_reports where id = $1', [
      toUuid(id),
    ]);
    if (row?.status === 'rejected') throw new Error(JSON.stringify(row.rejection));
    return row?.status !== 'received';
  });
  return { id, expected };
}

/** Two reports about the same usage: the second replaces the first. */
export async function replaceReport({ stack }: MoneyOffice, by: string, replaced: string) {
  await stack.admin(['reports', 'decide', '--report', by, '--supersedes', replaced], async () => {
    const [row] = await stack.query('select status from store_reports where id = $1', [
      toUuid(replaced as Id<'rpt'>),
    ]);
    return row?.status === 'superseded' ? row : undefined;
  });
}

const cents = (text: string): bigint => BigInt(text.replace(/(\.\d\d)\d*$/, '$1').replace('.', ''));
const ofCents = (amount: bigint): string =>
  `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

/** Stores pay most of what is due: with tax, exchanged, short, or next month. */
export async function payStores(office: MoneyOffice, name: string, isLast: boolean) {
  const { stack, random } = office;
  const counts = { payments: 0, short: 0, late: 0 };
  const { reports } = await stack.admin(['remittances', 'due']);
  for (const report of reports as Json[]) {
    if (!isLast && random.below(5) === 0) {
      counts.late++;
      continue;
    }
    for (const { currency, due_amount: due } of report.unpaid as Json[]) {
      const isShort = random.below(4) === 0;
      const { id, status } = await payReport(office, report, { currency, due, isShort, name });
      counts.payments++;
      if (status === 'paid') continue;
      counts.short++;
      const decision = random.pick(['accept', 'prorate']);
      await stack.admin(
        ['remittances', 'decide', '--remittance', id, '--as', decision],
        async () => {
          const [row] = await stack.query('select * from remittances where id = $1', [toUuid(id)]);
          return row?.decision === null ? undefined : row;
        },
      );
    }
  }
  return counts;
}

type Payment = {
  readonly currency: string;
  readonly due: string;
  readonly isShort: boolean;
  readonly name: string;
};

function payReport(
  { stack, random }: MoneyOffice,
  { report_id, store_id }: Json,
  { currency, due, isShort, name }: Payment,
): Promise<Json> {
  const gross = (cents(due) * (isShort ? 90n : 100n)) / 100n;
  const tax = random.below(2) === 0 ? gross / 20n : 0n;
  const isExchanged = random.below(2) === 0;
  const [settled, rate] = currency === 'EUR' ? ['USD', 108n] : ['EUR', 91n];
  const fields: Readonly<Record<string, string>> = {
    store: store_id,
    reference: `${name} ${report_id} ${currency}`,
    currency,
    amount: ofCents(gross),
    'source-tax': ofCents(tax),
    'value-date': '2020-01-31',
    reports: report_id,
    ...(isExchanged && {
      'settled-currency': settled,
      'settled-amount': ofCents(((gross - tax) * rate) / 100n),
      'bank-fee': '1.50',
    }),
  };
  // The same reference again answers the payment that exists.
  return stack.admin([
    'remittances',
    'record',
    ...Object.entries(fields).map(([flag, value]) => `--${flag}=${value}`),
  ]);
}

/** Corrections, some above the balance, and payouts of what is left. */
export async function moveBalances({ stack, random, partners }: MoneyOffice, name: string) {
  for (const { orgId, currency } of partners) {
    const [row] = await stack.query(
      `select balance_after::float8 as balance from ledger_entries
        where org_id = $1 and currency = $2 and account = 'payable' order by version desc limit 1`,
      [toUuid(orgId), currency],
    );
    const balance = Number(row?.balance ?? 0);
    if (random.below(3) === 0) {
      const amount = random.below(4) === 0 ? `-${Math.ceil(Math.abs(balance)) + 7}.250001` : '3.5';
      const reason = `Correction ${name} ${orgId}`;
      await stack.admin(
        ['adjustments', 'create', '--org', orgId, '--type', 'correction'].concat([
          '--currency',
          currency,
          `--amount=${amount}`,
          '--reason',
          reason,
        ]),
        async () =>
          (await stack.query('select id from adjustments where reason = $1', [reason]))[0],
      );
    } else if (balance > 2) {
      await payOut(stack, { orgId, currency }, name, BigInt(Math.floor(balance / 2)));
    }
  }
}

/** As a payout posts it, of which the rail took all but one unit yet. */
async function payOut(
  stack: MoneyStack,
  { orgId, currency }: Partner,
  name: string,
  whole: bigint,
) {
  const key = `${name} ${orgId}`;
  const of = (amount: bigint) => ({ amount: toMicros(amount * 1_000_000n), currency });
  await stack.persist(
    async () => {
      await stack.service.workerDb.transact(workflowOwner(orgId, 'proof'), async (tx) => {
        post(tx, [
          {
            key: `payout.created:${key}`,
            entries: transfer(of(whole), 'payable', 'payout_reserved'),
          },
          ...(whole > 1n
            ? [
                {
                  key: `payout.in_transit:${key}`,
                  entries: transfer(of(whole - 1n), 'payout_reserved', 'cash'),
                },
              ]
            : []),
        ]);
      });
      return true;
    },
    async () =>
      (
        await stack.query('select 1 from ledger_transactions where key = $1', [
          `payout.created:${key}`,
        ])
      ).length > 0 || undefined,
  );
}
