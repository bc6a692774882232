import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { Artifact } from '../domain/run-statement.ts';

/** Where the rows of a statement are. An open one has none yet. */
export type StatementFiles = {
  readonly currency: Currency;
  readonly publishedAt: Date | null;
  readonly rowCount: number;
  readonly files: readonly Pick<
    Artifact,
    'objectKey' | 'sizeBytes' | 'rowCount' | 'firstPosition'
  >[];
};

type FileRow = {
  readonly currency: Currency;
  readonly published_at: Date | null;
  readonly object_key: string | null;
  readonly size_bytes: string;
  readonly row_count: string;
  readonly first_position: string;
};

/** Undefined if the organization has no such statement. */
export async function findStatementFiles(
  db: Db,
  orgId: OrgId,
  id: StatementId,
  kind: Artifact['kind'],
): Promise<StatementFiles | undefined> {
  const rows = await db.query<FileRow>(sql`
    select s.currency, s.published_at, a.object_key, a.size_bytes, a.row_count, a.first_position
      from statements s
      left join statement_artifacts a on a.org_id = s.org_id and a.statement_id = s.id and a.kind = ${kind}
     where s.org_id = ${toUuid(orgId)} and s.id = ${toUuid(id)}
     order by a.part
  `);
  const [first] = rows;
  if (first === undefined) return undefined;
  const files = rows.flatMap((row) =>
    row.object_key === null
      ? []
      : {
          objectKey: row.object_key,
          sizeBytes: Number(row.size_bytes),
          rowCount: Number(row.row_count),
          firstPosition: Number(row.first_position),
        },
  );
  return {
    currency: first.currency,
    publishedAt: first.published_at,
    rowCount: files.reduce((sum, { rowCount }) => sum + rowCount, 0),
    files,
  };
}
