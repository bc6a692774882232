/**
 * Royalty records from the files of statements, range by range. One request reads a bounded number of times, however rare what it
 * looks for is: then it ends where it came to, and the next page continues there.
 */

import type { OrgId } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import type { Page, PagePosition } from '../../kernel/page.ts';
import { Problem } from '../../kernel/problem.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RecordPosition, RoyaltyRange } from '../domain/royalty-range.ts';
import { type Royalty, royaltyColumns } from '../domain/royalty.ts';
import { type ParquetFile, type ParquetReader, rowsAtOnceMax } from './parquet-reader.ts';

/** Each takes some milliseconds. */
const readsMax = 32;

export type RoyaltyReads = {
  readonly parquet: ParquetReader;
  readonly orgId: OrgId;
  readonly filesOf: (statementId: StatementId) => Promise<readonly ParquetFile[]>;
  /** In their order. If there are `rangesMax` of them, others may follow. */
  readonly rangesAfter: (after: RecordPosition | undefined) => Promise<readonly RoyaltyRange[]>;
};

export type RoyaltyWalk = {
  readonly rangesMax: number;
  readonly limit: number;
  /** Records up to here are not read again. */
  readonly after: RecordPosition | undefined;
  /** Undefined: every record of the ranges is wanted. */
  readonly isrc: Isrc | undefined;
  /** How many records of the ISRC come before the page. */
  readonly skip?: number;
};

/** `skipped`: of `skip`. If it is less, the page has no records. */
type RoyaltiesRead = Page<Royalty> & { readonly skipped: number };

export async function readRoyalties(
  reads: RoyaltyReads,
  walk: RoyaltyWalk,
): Promise<RoyaltiesRead> {
  const { rangesMax, limit, after, skip = 0 } = walk;
  const ranges = await reads.rangesAfter(after);
  // One more than the page has tells whether there is a next one.
  const wanted = limit + 1;
  const found: Royalty[] = [];
  let readCount = 0;
  let skipped = 0;
  let last: PagePosition | undefined;
  let isAtEnd = ranges.length < rangesMax;
  for (const part of partsOf(ranges, walk, () => wanted - found.length)) {
    if (found.length >= wanted) break;
    if (readCount++ === readsMax) {
      isAtEnd = false;
      break;
    }
    const read = await readPart(reads, part, walk.isrc, skip - skipped, wanted - found.length);
    skipped += read.skipped;
    found.push(...read.records);
    last = pagePosition(part.range, part.toExclusive - 1);
  }
  const positionAt = (index: number): PagePosition | undefined => {
    const royalty = found[index];
    const range = ranges.find(({ statementId }) => statementId === royalty?.statementId);
    return royalty && range && pagePosition(range, royalty.position);
  };
  const isCut = found.length > limit;
  return {
    items: found.slice(0, limit),
    next: isCut ? positionAt(limit - 1) : isAtEnd ? undefined : last,
    positionAt,
    skipped,
  };
}

/** A walk is 32 reads, each some milliseconds: together well below the time limit of a request. */
const walksMax = 16;

/**
 * A page by number is complete, however rare its records are: it walks on where a page by cursor would end. Refuses a
 * page that is too far to be reached in one request.
 */
export async function readNumberedPage(
  reads: RoyaltyReads,
  { limit, skip = 0, ...walk }: Omit<RoyaltyWalk, 'after'>,
): Promise<Page<Royalty>> {
  const items: Royalty[] = [];
  const positions: (PagePosition | undefined)[] = [];
  let after: RecordPosition | undefined;
  let skipped = 0;
  for (let i = 0; i < walksMax; i++) {
    const wanted = { limit: limit - items.length, skip: skip - skipped };
    const page = await readRoyalties(reads, { ...walk, ...wanted, after });
    items.push(...page.items);
    positions.push(...page.items.map((_, index) => page.positionAt(index)));
    skipped += page.skipped;
    const { next } = page;
    if (next === undefined || items.length === limit)
      return { items, next, positionAt: (index) => positions[index] };
    after = recordPositionOf(next);
  }
  const issue = 'is too far to be counted in one request; use limit and cursor';
  throw new Problem('invalid_parameter', `page ${issue}.`, { details: [{ field: 'page', issue }] });
}

type RangePart = {
  readonly range: RoyaltyRange;
  readonly from: number;
  readonly toExclusive: number;
};

/** What each read covers: of a search the rows of a group, of a page as many as are still wanted. */
function* partsOf(
  ranges: readonly RoyaltyRange[],
  { after, isrc }: RoyaltyWalk,
  wantedNow: () => number,
): Generator<RangePart> {
  for (const range of joinRanges(ranges)) {
    const isLast = range.statementId === after?.statementId;
    const end = range.firstPosition + range.recordCount;
    let from = Math.max(range.firstPosition, isLast ? after.position + 1 : 0);
    while (from < end) {
      const count = isrc === undefined ? wantedNow() : rowsAtOnceMax;
      const toExclusive = Math.min(end, from + Math.max(count, 1));
      yield { range, from, toExclusive };
      from = toExclusive;
    }
  }
}

/** Ranges that follow each other without a gap are one. */
function joinRanges(ranges: readonly RoyaltyRange[]): readonly RoyaltyRange[] {
  const joined: RoyaltyRange[] = [];
  for (const range of ranges) {
    const before = joined.at(-1);
    const follows =
      before?.statementId === range.statementId &&
      before.firstPosition + before.recordCount === range.firstPosition;
    if (!follows) joined.push(range);
    else
      joined[joined.length - 1] = {
        ...before,
        recordCount: before.recordCount + range.recordCount,
      };
  }
  return joined;
}

async function readPart(
  { parquet, orgId, filesOf }: RoyaltyReads,
  { range, from, toExclusive }: RangePart,
  isrc: Isrc | undefined,
  skip: number,
  wanted: number,
): Promise<{ readonly records: readonly Royalty[]; readonly skipped: number }> {
  const files = await filesOf(range.statementId);
  const { statementId, currency, publishedAt } = range;
  const readAt = async (start: number, end: number): Promise<Royalty[]> => {
    const rows = await parquet.readRows(
      orgId,
      files,
      { from: start, toExclusive: end },
      royaltyColumns,
    );
    return rows.map((row, index) => ({
      statementId,
      position: start + index,
      currency,
      publishedAt,
      row,
    }));
  };
  if (isrc === undefined) return { records: await readAt(from, toExclusive), skipped: 0 };
  const rows = await parquet.readRows(orgId, files, { from, toExclusive }, { isrc: 'text' });
  const positions = rows.flatMap((row, index) => (row.isrc === isrc ? [from + index] : []));
  const matches: Royalty[] = [];
  // The reader keeps the group: these reads decode it again, and do not fetch it.
  for (const position of positions.slice(skip, skip + wanted))
    matches.push(...(await readAt(position, position + 1)));
  return { records: matches, skipped: Math.min(skip, positions.length) };
}

/** The cursor of the list: what `recordPositionOf` reads. */
const pagePosition = (range: RoyaltyRange, position: number): PagePosition => ({
  at: `${range.publishedText}/${position}`,
  id: range.statementId,
});

export function recordPositionOf({ at, id }: PagePosition): RecordPosition {
  const [publishedText = '', position = ''] = at.split('/');
  // Cursors are signed.
  return { publishedText, position: Number(position), statementId: id as StatementId };
}
