/** What the document of a statement says, read from the rows of its organization. */

import { findReleaseNames } from '../../catalog/face.ts';
import { findOrganization } from '../../identity/face.ts';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import { formatMicros, toMicros } from '../../kernel/money.ts';
import { sumAdjustments } from '../../money/face.ts';
import { findStoreSettings } from '../../network/face.ts';
import type { Database, Db } from '../../platform/db/database.ts';
import type { StatementId } from '../domain/calculation.ts';
import {
  documentFilesMax,
  documentReleasesMax,
  type DocumentRow,
  documentStoresMax,
  type RankedTotal,
  type StatementDocument,
} from '../domain/statement-document.ts';
import type { StatementFile } from '../domain/statement-proof.ts';
import type { Statement } from '../domain/statement.ts';
import { findArtifacts, findRunInputs } from '../store/statement-artifacts.ts';
import { sumByRelease, sumByStore } from '../store/statement-totals.ts';
import { findStatement } from '../store/statements.ts';

/** Undefined: the statement has a document, or a reset of the sandbox has removed it. */
export async function readDocumentContent(
  db: Database,
  orgId: OrgId,
  id: StatementId,
): Promise<StatementDocument | undefined> {
  const [statement, organization, files, run, adjustments, stores, releases] =
    await db.readTogether(orgId, (partner) =>
      Promise.all([
        findStatement(partner, orgId, id),
        findOrganization(partner, orgId),
        findArtifacts(partner, orgId, id),
        findRunInputs(partner, id),
        sumAdjustments(partner, orgId, id),
        sumByStore(partner, orgId, id, documentStoresMax),
        sumByRelease(partner, orgId, id, documentReleasesMax),
      ]),
    );
  if (files.some(({ kind }) => kind === 'document')) return undefined;
  if (statement === undefined || organization === undefined || run === undefined) return undefined;
  return {
    ...statementFields(statement),
    ...run,
    organizationId: orgId,
    organizationName: organization.name,
    adjustmentCount: adjustments.count,
    fileCount: files.length,
    files: files.slice(0, documentFilesMax).map(fileFields),
    stores: await nameStores(db, orgId, stores),
    releases: await nameReleases(db, orgId, releases),
  };
}

function statementFields(statement: Statement) {
  const { id: statementId, currency, periodStart, periodEnd, publishedAt } = statement;
  const { lineItemCount, sourceTaxAmount, payeeTaxAmount } = statement;
  if (publishedAt === null) throw new TypeError(`${statementId} is not published`);
  return {
    statementId,
    currency,
    periodStart,
    periodEnd,
    publishedAt: publishedAt.toISOString(),
    lineItemCount,
    amounts: {
      openingBalance: formatMicros(statement.openingBalance),
      grossAmount: formatMicros(statement.grossAmount),
      feeAmount: formatMicros(statement.feeAmount),
      sourceTaxAmount: formatMicros(sourceTaxAmount),
      payeeTaxAmount: formatMicros(payeeTaxAmount),
      netAmount: formatMicros(statement.netAmount),
      adjustmentAmount: formatMicros(statement.adjustmentAmount),
      payoutAmount: formatMicros(statement.payoutAmount),
      closingBalance: formatMicros(statement.closingBalance),
      availableAmount: formatMicros(statement.availableAmount),
      reservedAmount: formatMicros(statement.reservedAmount),
      heldAmount: formatMicros(statement.heldAmount),
    },
    taxAmount: formatMicros(toMicros(sourceTaxAmount + payeeTaxAmount)),
  };
}

const fileFields = ({ kind, part, rowCount, sha256 }: StatementFile) => ({
  name: `${kind}-${part}.parquet`,
  rowCount,
  sha256,
});

const keysOf = (totals: readonly RankedTotal[]): readonly string[] =>
  totals.flatMap(({ key }) => key ?? []);

/** A store that is not in the network any more is named by its id. */
async function nameStores(
  db: Database,
  orgId: OrgId,
  totals: readonly RankedTotal[],
): Promise<readonly DocumentRow[]> {
  const found = await db.readOnce(orgId, (partner: Db) =>
    findStoreSettings(partner, keysOf(totals)),
  );
  const names = new Map(found.map(({ storeId, name }) => [storeId, name]));
  return totals.map(({ key, count, ...total }) => ({
    ...total,
    title: key === null ? `${count} other stores` : (names.get(key) ?? key),
    code: key ?? '',
  }));
}

async function nameReleases(
  db: Database,
  orgId: OrgId,
  totals: readonly RankedTotal[],
): Promise<readonly DocumentRow[]> {
  const ids = keysOf(totals).map((uuid) => toWire('rel', uuid));
  const names = await db.readOnce(orgId, (partner) => findReleaseNames(partner, orgId, ids));
  return totals.map(({ key, count, ...total }) => {
    if (key === null) return { ...total, title: `${count} other releases`, code: '' };
    const id = toWire('rel', key);
    const { title, upc } = names.get(id) ?? { title: id, upc: '' };
    return { ...total, title, code: upc };
  });
}
