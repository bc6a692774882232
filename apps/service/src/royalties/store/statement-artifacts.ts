/** The files of published statements, and what they were made from. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { SourcePart } from '../domain/source-row.ts';
import type { StatementFile } from '../domain/statement-proof.ts';

type ArtifactRow = {
  readonly kind: StatementFile['kind'];
  readonly part: number;
  readonly object_key: string;
  readonly size_bytes: string;
  readonly sha256: Buffer;
  readonly row_count: string;
  readonly amount: string;
  readonly first_position: string;
};

const columns = sql`
  kind, part, object_key, size_bytes::text, sha256, row_count::text, amount, first_position::text`;

/** By kind and part. */
export async function findArtifacts(
  db: Db,
  orgId: OrgId,
  statementId: StatementId,
): Promise<StatementFile[]> {
  const rows = await db.query<ArtifactRow>(sql`
    select ${columns} from statement_artifacts
     where org_id = ${toUuid(orgId)} and statement_id = ${toUuid(statementId)}
     order by kind, part
  `);
  return rows.map(toFile);
}

const toFile = (row: ArtifactRow): StatementFile => ({
  kind: row.kind,
  part: row.part,
  objectKey: row.object_key,
  sizeBytes: Number(row.size_bytes),
  sha256: row.sha256.toString('hex'),
  rowCount: Number(row.row_count),
  amount: row.amount,
  firstPosition: Number(row.first_position),
});

/** Undefined: it is not made yet. */
export async function findDocument(
  db: Db,
  orgId: OrgId,
  statementId: StatementId,
): Promise<StatementFile | undefined> {
  const [row] = await db.query<ArtifactRow>(sql`
    select ${columns} from statement_artifacts
     where org_id = ${toUuid(orgId)} and statement_id = ${toUuid(statementId)} and kind = 'document'
  `);
  return row && toFile(row);
}

/** Does nothing if the statement has a document: it is made once. */
export function insertDocument(
  tx: Tx,
  statementId: StatementId,
  { objectKey, sizeBytes, sha256, rowCount }: StatementFile,
): void {
  tx.write(sql`
    insert into statement_artifacts (org_id, statement_id, kind, part, object_key, size_bytes, sha256, row_count, amount,
                                     first_position)
    values (${toUuid(tx.orgId)}, ${toUuid(statementId)}, 'document', 1, ${objectKey}, ${sizeBytes},
            ${Buffer.from(sha256, 'hex')}, ${rowCount}, 0, 1)
    on conflict do nothing
  `);
}

type RunInputs = { readonly rulesVersion: string; readonly inputDigest: string };

/** Of the run that made the statement, which may belong to the system organization. */
export async function findRunInputs(
  db: Db,
  statementId: StatementId,
): Promise<RunInputs | undefined> {
  const [row] = await db.query<{ rules_version: string; input_digest: Buffer }>(sql`
    select rules_version, input_digest from run_of_statement(${toUuid(statementId)})
  `);
  return row && { rulesVersion: row.rules_version, inputDigest: row.input_digest.toString('hex') };
}

type PartRow = {
  readonly number: number;
  readonly object_key: string;
  readonly size_bytes: string;
  readonly sha256: Buffer;
};

/** The matched rows of a report that entered the run of the statement, which may belong to the system organization. */
export async function findSourceParts(
  db: Db,
  statementId: StatementId,
  reportUuid: string,
): Promise<SourcePart[]> {
  const rows = await db.query<PartRow>(sql`
    select number, object_key, size_bytes::text, sha256
      from report_parts_of_statement(${toUuid(statementId)}, ${reportUuid}::uuid)
  `);
  return rows.map((row) => ({
    number: row.number,
    objectKey: row.object_key,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256.toString('hex'),
  }));
}
