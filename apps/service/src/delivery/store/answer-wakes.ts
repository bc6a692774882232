/** Messages to answer lanes whose handler has not begun (ADR 0062): while there is one, a lane needs no other. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { AnswerLane } from '../domain/answer.ts';

type AnswerLaneRef = { readonly orgId: OrgId; readonly index: number };

/** A message that has been on its way for longer may be lost with the engine's disk; another is sent. */
const onItsWaySeconds = 30;

/**
 * Returns the lanes that had no message on its way, each once. A row with an `xmax` is no such message: a handler is
 * deleting it in a transaction that has not ended, and may have read the answers already.
 */
export async function insertAnswerWakes(
  db: Db,
  lanes: readonly AnswerLaneRef[],
): Promise<AnswerLaneRef[]> {
  const records = lanes.map(({ orgId, index }) => ({ org_id: toUuid(orgId), lane: index }));
  const rows = await db.query<{ org_id: string; lane: number }>(sql`
    insert into answer_wakes (org_id, lane)
    select distinct org_id, lane from json_to_recordset(${json(records)}) as wanted (org_id uuid, lane smallint)
     where not exists (select from answer_wakes sent
                        where sent.org_id = wanted.org_id and sent.lane = wanted.lane and sent.xmax = 0
                          and sent.enqueued_at > now() - make_interval(secs => ${onItsWaySeconds}))
    returning org_id, lane
  `);
  return rows.map(({ org_id, lane }) => ({ orgId: toWire('org', org_id), index: lane }));
}

/** Before the answers are read, in the same transaction: whoever sees a row without `xmax` has committed its answers before. */
export function deleteAnswerWakes(tx: Tx, { index, lanes }: AnswerLane): void {
  tx.write(sql`
    delete from answer_wakes where org_id = ${toUuid(tx.orgId)} and lane % ${lanes} = ${index}
  `);
}
