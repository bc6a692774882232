/**
 * The world of `prove money`: partners, what stores have of them, and random rows, each with what the service must make of
 * it. A row is of a track or an album of a partner, of nobody, of two partners at once, a fine, or cannot be
 * read.
 */

import { createHash } from 'node:crypto';
import type { Random } from './random.ts';

type Owner = { readonly partner: number; readonly release: number };
type Track = {
  readonly isrc: string;
  /** Two of them share its code. */
  readonly owners: readonly Owner[];
};

export const storeNames = ['plain', 'fiscal', 'dsr'] as const;
export type StoreName = (typeof storeNames)[number];

export type Row = {
  /** Empty: a row of an album. */
  readonly isrc: string;
  readonly upc: string;
  readonly title: string;
  readonly territory: string;
  readonly use: string;
  readonly quantity: number;
  /** In units of 10^-10. */
  readonly amount: bigint;
  readonly currency: string;
  readonly kind: 'matched' | 'fine' | 'suspense' | 'rejected';
  readonly owner: Owner | null;
};

export const partnerCount = 6;
const tracksPerPartner = 6;
const tracksPerRelease = 3;
export const territories = ['US', 'GB', 'DE', 'JP', 'SE'];
const uses = ['ad_supported_stream', 'subscription_stream', 'download', 'ugc'];
/** The use of every row of the third store. */
const dsrUse = 'subscription_stream';

const isrcOf = (number: number): string => `QZMNY26${String(number).padStart(5, '0')}`;

/** The last track is on a release of each of the first two partners. */
const tracks: readonly Track[] = [
  ...Array.from({ length: partnerCount * tracksPerPartner }, (_, i) => ({
    isrc: isrcOf(i * 37 + 1),
    owners: [
      { partner: i % partnerCount, release: Math.floor(i / partnerCount / tracksPerRelease) },
    ],
  })),
  {
    isrc: isrcOf(90_000),
    owners: [
      { partner: 0, release: 0 },
      { partner: 1, release: 0 },
    ],
  },
];

const uuidOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

export const releaseUuid = ({ partner, release }: Owner): string =>
  uuidOf(`release ${partner} ${release}`);
const upcOf = ({ partner, release }: Owner): string => `8800000000${partner}${release}`;

/** What every store has: each track of each owner, and each release under its product code. */
export const holdings = [
  ...tracks.flatMap(({ isrc, owners }) =>
    owners.map((owner) => ({
      code: isrc,
      owner,
      trackUuid: uuidOf(`track ${owner.partner} ${isrc}`),
    })),
  ),
  ...Array.from({ length: (partnerCount * tracksPerPartner) / tracksPerRelease }, (_, i) => {
    const owner = { partner: i % partnerCount, release: Math.floor(i / partnerCount) };
    return { code: upcOf(owner), owner, trackUuid: null };
  }),
];

export const deliveryUuid = ({ partner }: Owner): string => uuidOf(`delivery ${partner}`);

const unit = 10_000_000_000n;

export function formatUnits(units: bigint): string {
  const sign = units < 0n ? '-' : '';
  const size = units < 0n ? -units : units;
  return `${sign}${size / unit}.${String(size % unit).padStart(10, '0')}`;
}

/** A third are ties of rounding to six decimals. */
const amountOf = (random: Random): bigint =>
  random.below(3) === 0
    ? BigInt(1 + random.below(4_000_000)) * 5_000n
    : BigInt(1 + random.below(2_000_000_000)) * 7n;

function makeRow(random: Random, store: StoreName, currencies: readonly string[]): Row {
  const { isrc, owners } = random.pick(tracks);
  const [owner = null] = owners;
  const isShared = owners.length > 1;
  const row: Row = {
    isrc,
    upc: '',
    title: `Title, ${isrc}`,
    territory: random.pick(territories),
    use: store === 'dsr' ? dsrUse : random.pick(uses),
    quantity: 1 + random.below(500),
    amount: amountOf(random),
    currency: random.pick(currencies),
    kind: isShared ? 'suspense' : 'matched',
    owner: isShared ? null : owner,
  };
  const dice = random.below(100);
  if (dice < 5) return { ...row, isrc: `QZUNK26${dice}1234`, kind: 'suspense', owner: null };
  if (store === 'dsr' || owner === null) return row;
  if (isShared) return dice < 50 ? row : withProductCode(row, random.pick(owners));
  return makeSpecial(row, owner, dice);
}

/** Of two organizations with the ISRC, the one whose release the row names. */
const withProductCode = (row: Row, owner: Owner): Row => ({
  ...row,
  upc: upcOf(owner),
  kind: 'matched',
  owner,
});

function makeSpecial(row: Row, owner: Owner, dice: number): Row {
  const returned = { ...row, quantity: -row.quantity, amount: -row.amount };
  if (dice < 15) return returned;
  if (dice < 18) return { ...row, use: 'penalty', quantity: 0, amount: -row.amount, kind: 'fine' };
  if (dice < 21) return { ...row, territory: 'XX', kind: 'rejected' };
  // Some partners have more returns than sales.
  if (dice < 23) return { ...returned, amount: -row.amount * 30n };
  if (dice >= 30) return row;
  const upc = upcOf(owner);
  const album = { ...(dice === 29 ? returned : row), isrc: '', upc, title: `Album ${upc}` };
  return { ...album, use: 'download' };
}

const storeCurrencies: Readonly<Record<StoreName, readonly string[]>> = {
  plain: ['EUR'],
  fiscal: ['EUR', 'USD'],
  dsr: ['USD'],
};

export function makeRows(random: Random, store: StoreName, rowCount: number): readonly Row[] {
  const currencies = storeCurrencies[store];
  const rows = Array.from({ length: rowCount }, () => makeRow(random, store, currencies));
  // The store always owes something.
  for (const currency of currencies) {
    const [{ isrc, owners }] = tracks as readonly [Track];
    rows.push({
      isrc,
      upc: '',
      title: `Title, ${isrc}`,
      territory: 'DE',
      use: store === 'dsr' ? dsrUse : 'download',
      quantity: 9,
      amount: BigInt(rowCount) * 20n * unit,
      currency,
      kind: 'matched',
      owner: owners[0] ?? null,
    });
  }
  return rows;
}

export const dueOf = (rows: readonly Row[], currency: string): bigint =>
  sumOf(rows.filter((row) => row.currency === currency));

export const sumOf = (rows: readonly Row[]): bigint =>
  rows.reduce((sum, { amount }) => sum + amount, 0n);
