import { toUuid } from '../../kernel/ids.ts';
import { insertInto } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Screened, ScreeningResult } from '../domain/screening.ts';

export async function countScreenings(
  tx: Tx,
  { payoutId, stage }: Pick<Screened, 'payoutId' | 'stage'>,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from payout_screenings
     where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(payoutId)} and stage = ${stage}
  `);
  return row?.count ?? 0;
}

export function insertScreening(
  tx: Tx,
  { payoutId, stage, number }: Screened,
  result: ScreeningResult,
): void {
  tx.write(
    insertInto('payout_screenings', {
      org_id: toUuid(tx.orgId),
      payout_id: toUuid(payoutId),
      stage,
      number,
      result,
      at: tx.now,
    }),
  );
}
