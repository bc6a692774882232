/** Parts of a report on the object store, and what they amount to. */

import { type Currency, isCurrency } from '../../kernel/currency.ts';
import { toWire } from '../../kernel/ids.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { uploadWithDigest } from '../../platform/storage/transfer.ts';
import { reportFolder } from '../domain/report-files.ts';
import type { PartKind, ReportId, ReportPart, ReportShare } from '../domain/report.ts';
import type { PartShare } from './match-summary.ts';

export type WrittenPart = {
  readonly kind: PartKind;
  readonly path: string;
  readonly rows: number;
};

/** Safe to repeat. Parts without a row are left out. */
export async function uploadParts(
  storage: Storage,
  reportId: ReportId,
  number: number,
  written: readonly WrittenPart[],
  signal: AbortSignal,
): Promise<ReportPart[]> {
  const parts: ReportPart[] = [];
  for (const { kind, path, rows } of written.filter((part) => part.rows > 0)) {
    const objectKey = `${reportFolder(reportId)}${kind}-${number}.parquet`;
    const { sizeBytes, sha256 } = await uploadWithDigest(storage, path, objectKey, signal);
    parts.push({ kind, number, objectKey, sizeBytes, sha256, rowCount: rows });
  }
  return parts;
}

export const sharesOf = (shares: readonly PartShare[], partNumber: number): ReportShare[] =>
  shares.map((share) => ({
    partNumber,
    orgId: toWire('org', share.org_id),
    currency: currencyOf(share.currency),
    rowCount: share.rows,
    amount: share.amount,
  }));

export function currencyOf(text: string): Currency {
  if (!isCurrency(text)) throw new Error(`${text} is not a currency`);
  return text;
}
