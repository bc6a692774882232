/**
 * Timers, one primitive for every slice. Set in a transaction; when one is due in its organization's
 * business time, the handler it names is called:
 *
 *   waiting → firing → fired     due, and its handler is being called; its handler has finished
 *   waiting → canceled
 *
 * The engine only says when to look. Looking is repeat-safe: of a timer that is settled nothing happens,
 * one looked at too early asks to be looked at again, and one that stays open past its time, because the
 * engine lost its disk or a handler was cut, is found by the reconciler. So a timer's handler is called
 * at least once and, as every handler, looks before it writes.
 */
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { appendMessage, type Message } from './outbox.ts';
import type { Work } from './work.ts';

export type TimerId = Id<'tmr'>;

const service = 'timers';
const reconcilePerRound = 500;
/** How long after its time a timer may wait before the reconciler doubts the engine. */
const overdueMs = 30_000;

const lookMessage = (id: TimerId, orgId: OrgId): Message => ({
  service,
  key: `${orgId}:${id}`,
  handler: 'look',
});

export function setTimer(tx: Tx, dueAt: Date, message: Message): TimerId {
  const id = tx.newId('tmr');
  const lookAt = new Date(tx.realNow.getTime() + Math.max(0, dueAt.getTime() - tx.now.getTime()));
  tx.write(sql`
    insert into timers (id, org_id, due_at, look_at, service, key, handler, state)
    values (${toUuid(id)}, ${toUuid(tx.orgId)}, ${dueAt}, ${lookAt},
            ${message.service}, ${message.key}, ${message.handler}, 'waiting')
  `);
  appendMessage(tx, lookMessage(id, tx.orgId), lookAt);
  return id;
}

/** Whether it was still waiting. */
export async function cancelTimer(tx: Tx, id: TimerId): Promise<boolean> {
  const rows = await tx.query(sql`
    update timers set state = 'canceled', settled_at = ${tx.realNow}
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state = 'waiting'
    returning id
  `);
  return rows.length > 0;
}

type Look = { readonly due: Message | null };

/** Decides whether it is due; if not, and still open, asks to be looked at again. */
async function decideTimer(tx: Tx, id: TimerId): Promise<Look> {
  const [timer] = await tx.query<Message & { state: string; due_at: Date }>(sql`
    select service, key, handler, state, due_at from timers
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} for update
  `);
  if (timer === undefined || timer.state === 'fired' || timer.state === 'canceled')
    return { due: null };
  const earlyMs = timer.due_at.getTime() - tx.now.getTime();
  if (earlyMs > 0) {
    const again = new Date(tx.realNow.getTime() + earlyMs);
    tx.write(sql`update timers set look_at = ${again} where id = ${toUuid(id)}`);
    appendMessage(tx, lookMessage(id, tx.orgId), again);
    return { due: null };
  }
  tx.write(sql`update timers set state = 'firing' where id = ${toUuid(id)}`);
  const { service: target, key, handler } = timer;
  return { due: { service: target, key, handler } };
}

async function settle(tx: Tx, id: TimerId): Promise<void> {
  tx.write(sql`
    update timers set state = 'fired', settled_at = ${tx.realNow}
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state = 'firing'
  `);
}

/** One object a timer, so that two looks at one never overlap. */
export const timerWork: Work = {
  service,
  handlers: {
    look: async (run) => {
      const [orgId, id] = run.key.split(':') as [OrgId, TimerId];
      const owner = { orgId, actor: { type: 'workflow', id: service } } as const;
      const { due } = await run.step('look', owner, (tx) => decideTimer(tx, id));
      if (due === null) return;
      await run.call(due);
      await run.step('settle', owner, (tx) => settle(tx, id));
    },
  },
};

/** Has a timer looked at now: how the sandbox's clock fires what has become due. */
export function nudgeTimer(tx: Tx, id: TimerId): void {
  appendMessage(tx, lookMessage(id, tx.orgId));
}

/**
 * The reconciler: timers whose time has passed and which nobody fired are asked for again. The engine
 * may have lost its disk, or paused an invocation; a new message has a new key.
 */
export async function reconcileTimers(db: Database, clock: Clock): Promise<number> {
  const now = clock.now();
  const late = await db.outside.query<{ id: string; org_id: string }>(sql`
    update timers set look_at = ${now}
     where id in (select id from timers
                   where state in ('waiting', 'firing') and look_at < ${new Date(now.getTime() - overdueMs)}
                   order by look_at limit ${reconcilePerRound} for update skip locked)
    returning id, org_id
  `);
  for (const { id, org_id } of late) {
    const orgId = toWire('org', org_id);
    const owner = { orgId, actor: { type: 'workflow', id: 'reconciler' } } as const;
    await db.transact(
      owner,
      async () => undefined,
      async (tx) => nudgeTimer(tx, toWire('tmr', id)),
    );
  }
  return late.length;
}
