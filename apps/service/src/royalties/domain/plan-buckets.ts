/**
 * Divides a run into buckets of about `rowsMax` rows. The plan depends on the shares only, not on their order: a run that
 * is calculated again has the same buckets and writes the same files.
 */

import { type Bucket, type BucketStatement, rowsPerBucketMax, sliceCount } from './calculation.ts';

/** How many matched rows a statement has. An organization has one statement in a run. */
export type StatementShare = Pick<BucketStatement, 'orgId' | 'statementId' | 'currency'> & {
  readonly rowCount: number;
};

type Piece = { readonly statement: BucketStatement; readonly rowCount: number };

/** Throws a RangeError if an organization has two shares: their rows could not be told apart. */
export function planBuckets(
  shares: readonly StatementShare[],
  rowsMax: number = rowsPerBucketMax,
): Bucket[] {
  requireDistinctOrganizations(shares);
  const pieces = shares
    .flatMap((share) => cutShare(share, rowsMax))
    .toSorted((a, b) => compareTexts(a.statement.orgId, b.statement.orgId));
  const isLarge = ({ rowCount }: Piece): boolean => rowCount > rowsMax / 2;
  const buckets = [
    ...pieces.filter(isLarge).map((piece) => [piece]),
    ...packNeighbours(
      pieces.filter((piece) => !isLarge(piece)),
      rowsMax,
    ),
  ];
  return buckets.map((bucket, index) => ({
    number: index + 1,
    statements: bucket.map(({ statement }) => statement),
  }));
}

/**
 * In the order of organizations, as the rows are stored: a bucket reads neighbouring rows and skips the others. Every
 * bucket but the last is more than half full, because no piece is larger than half a bucket.
 */
function packNeighbours(pieces: readonly Piece[], rowsMax: number): Piece[][] {
  const buckets: Piece[][] = [];
  let space = 0;
  for (const piece of pieces) {
    if (buckets.length === 0 || piece.rowCount > space) {
      buckets.push([]);
      space = rowsMax;
    }
    buckets.at(-1)?.push(piece);
    space -= piece.rowCount;
  }
  return buckets;
}

function requireDistinctOrganizations(shares: readonly StatementShare[]): void {
  const orgIds = new Set(shares.map(({ orgId }) => orgId));
  if (orgIds.size !== shares.length) throw new RangeError('An organization has two statements');
}

/** Whole if it fits, otherwise in slices of equal width: ISRCs are spread evenly over the slices. */
function cutShare({ rowCount, ...statement }: StatementShare, rowsMax: number): Piece[] {
  const partCount = Math.min(sliceCount, Math.max(1, Math.ceil(rowCount / rowsMax)));
  return Array.from({ length: partCount }, (_, index) => ({
    statement: {
      ...statement,
      part: index + 1,
      sliceFrom: Math.floor((index * sliceCount) / partCount),
      sliceTo: Math.floor(((index + 1) * sliceCount) / partCount),
    },
    rowCount: Math.ceil(rowCount / partCount),
  }));
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
