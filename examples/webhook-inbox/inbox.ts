/**
 * A durable inbox for webhooks in one SQLite file, which the receivers for Express, Fastify and Next.js share.
 *
 * A receiver stores a verified event and answers at once; `drain` processes what is stored. An event that comes twice is
 * stored once. Events may come out of order: the row of a resource keeps the state with the greatest `sequence`, so that
 * an older event that arrives later changes nothing. If the process ends between the answer and the processing, the
 * next `drain` finds the event.
 */

import { DatabaseSync } from 'node:sqlite';

/** The fields of an event that the inbox needs. `WebhookEvent` of the SDK has them, with the data of each type. */
export type InboxEvent = {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly data: object;
};

const schema = `
  create table if not exists inbox (
    id text primary key,
    type text not null,
    sequence integer not null,
    body text not null,
    received_at text not null default current_timestamp,
    processed_at text
  ) strict;
  create table if not exists resources (
    id text primary key,
    type text not null,
    sequence integer not null,
    data text not null
  ) strict;`;

/** Tonearm sends an event again for 8 hours, and on request for 30 days: ids are kept that long. */
const keepDays = 30;
const batchSize = 100;

type Row = { id: string; type: string; sequence: number; body: string };

type Data = { readonly [field: string]: unknown };

const hasId = (value: unknown): value is { readonly id: string } =>
  typeof value === 'object' && value !== null && typeof (value as Data)['id'] === 'string';

/** What an event is about: its `data`, the release or payout in it, or a store of a delivery. */
function resourceOf(data: Data): { readonly id: string; readonly state: unknown } | undefined {
  const { delivery_id: delivery, store } = data;
  if (typeof delivery === 'string' && typeof store === 'object' && store !== null) {
    return { id: `${delivery}/${String((store as Data)['store_id'])}`, state: store };
  }
  const resource = [data, data['release'], data['payout']].find(hasId);
  return resource && { id: resource.id, state: resource };
}

export function openInbox(file: string, log: (line: string) => void = console.log) {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma busy_timeout = 5000; ${schema}`);
  const insert = db.prepare(
    'insert into inbox (id, type, sequence, body) values (?, ?, ?, ?) on conflict do nothing',
  );
  const pending = db.prepare(
    `select id, type, sequence, body from inbox
      where processed_at is null and (sequence, id) > (?, ?) order by sequence, id limit ?`,
  );
  const upsert = db.prepare(
    `insert into resources (id, type, sequence, data) values (?, ?, ?, ?)
     on conflict (id) do update set type = excluded.type, sequence = excluded.sequence, data = excluded.data
      where excluded.sequence > resources.sequence`,
  );
  const done = db.prepare('update inbox set processed_at = current_timestamp where id = ?');
  const forget = db.prepare(
    `delete from inbox where processed_at is not null and received_at < datetime('now', ?)`,
  );

  /** Replace this with your own work. It runs in the transaction that marks the event as processed. */
  const work = ({ type, sequence, body }: Row): string => {
    const resource = resourceOf(JSON.parse(body) as Data);
    if (resource === undefined) return 'is about no resource';
    const { id, state } = resource;
    const { changes } = upsert.run(id, type, sequence, JSON.stringify(state));
    return changes === 0 ? `is older than what is known of ${id}` : `updates ${id}`;
  };

  /** An event whose work fails stays pending, and does not hold up the others. */
  const process = (row: Row): void => {
    db.exec('begin immediate');
    try {
      const outcome = work(row);
      done.run(row.id);
      db.exec('commit');
      log(`${row.type} ${row.id} ${outcome}`);
    } catch (error) {
      db.exec('rollback');
      log(`${row.type} ${row.id} failed: ${String(error)}`);
    }
  };

  return {
    /** Returns false for an event that was stored before. It is on disk when this returns. */
    store: ({ id, type, sequence, data }: InboxEvent): boolean =>
      insert.run(id, type, sequence, JSON.stringify(data)).changes === 1,

    /** Processes every pending event once, in the order in which they happened. */
    drain: (): void => {
      let last = { sequence: -1, id: '' };
      for (;;) {
        const rows = pending.all(last.sequence, last.id, batchSize) as Row[];
        rows.forEach(process);
        last = rows.at(-1) ?? last;
        if (rows.length < batchSize) break;
      }
      forget.run(`-${keepDays} days`);
    },

    close: (): void => db.close(),
  };
}

export type Inbox = ReturnType<typeof openInbox>;
