/** The copy of the catalogue: its tables, and how far it has been read. */

import { DatabaseSync } from 'node:sqlite';

const schema = `
  create table if not exists places (name text primary key, value text not null) strict;
  create table if not exists releases (
    id text primary key, revision integer, title text, upc text, status text, updated_at text, body text, run text
  ) strict;
  create table if not exists tracks (release_id text, id text primary key, isrc text, title text, body text) strict;
  create index if not exists tracks_by_release on tracks (release_id);
  create table if not exists store_states (
    delivery_id text, store_id text, release_id text, status text, sequence integer,
    primary key (delivery_id, store_id)
  ) strict;`;

/** A run that has pages left. */
export type Progress = {
  readonly run: string;
  readonly since: string | null;
  readonly cursor: string | null;
  readonly begunAt: number;
  /** The newest `updated_at` that was seen. */
  readonly newest: number;
  readonly count: number;
};

type Release = {
  readonly id: string;
  readonly revision: number;
  readonly title: string;
  readonly upc: string | null;
  readonly status: string;
  readonly updated_at: string;
};

type Event = { readonly type: string; readonly sequence: number; readonly data: object };

type StoreUpdate = {
  readonly delivery_id: string;
  readonly release_id: string;
  readonly store: { readonly store_id: string; readonly status: string };
};

/** Values by name: how far the copy has been read. */
function openPlaces(db: DatabaseSync) {
  const read = db.prepare('select value from places where name = ?');
  const write = db.prepare('insert or replace into places values (?, ?)');
  const drop = db.prepare('delete from places where name = ?');
  return {
    read: (name: string) => (read.get(name) as { value: string } | undefined)?.value,
    write: (name: string, value: string): void => void write.run(name, value),
    drop: (name: string): void => void drop.run(name),
  };
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('begin immediate');
  try {
    work();
    db.exec('commit');
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

function openReleases(db: DatabaseSync) {
  const writeRelease = db.prepare(
    'insert or replace into releases values (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const dropTracks = db.prepare('delete from tracks where release_id = ?');
  const writeTrack = db.prepare('insert or replace into tracks values (?, ?, ?, ?, ?)');
  const revision = db.prepare('select revision from releases where id = ?');
  return {
    revisionOf: (id: string): number | undefined =>
      (revision.get(id) as { revision: number } | undefined)?.revision,
    write: (release: Release, run: string): void => {
      const { id, title, upc, status, updated_at } = release;
      const body = JSON.stringify(release);
      writeRelease.run(id, release.revision, title, upc, status, updated_at, body, run);
    },
    writeTracks: (releaseId: string, tracks: readonly object[]): void => {
      dropTracks.run(releaseId);
      for (const track of tracks as { id: string; isrc: string; title: string }[]) {
        writeTrack.run(releaseId, track.id, track.isrc, track.title, JSON.stringify(track));
      }
    },
    /** What the last page of a full run has not seen was deleted. */
    dropUnseen: (run: string): void => {
      db.prepare('delete from releases where run <> ?').run(run);
      db.exec('delete from tracks where release_id not in (select id from releases)');
    },
  };
}

export function openCopy(file: string) {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma busy_timeout = 5000; ${schema}`);
  const places = openPlaces(db);
  const releases = openReleases(db);
  const writeStore = db.prepare(
    `insert into store_states values (?, ?, ?, ?, ?)
     on conflict do update set status = excluded.status, sequence = excluded.sequence
      where excluded.sequence > store_states.sequence`,
  );
  return {
    progress: (): Progress | undefined => {
      const text = places.read('progress');
      return text === undefined ? undefined : (JSON.parse(text) as Progress);
    },
    since: (): string | null => places.read('since') ?? null,
    setSince: (ms: number): void => places.write('since', new Date(ms).toISOString()),
    lastSequence: (): number => Number(places.read('sequence') ?? 0),
    revisionOf: releases.revisionOf,

    writePage: (
      page: readonly Release[],
      tracks: ReadonlyMap<string, readonly object[]>,
      progress: Progress,
      hasMore: boolean,
    ): void =>
      inTransaction(db, () => {
        for (const release of page) releases.write(release, progress.run);
        for (const [id, list] of tracks) releases.writeTracks(id, list);
        if (hasMore) places.write('progress', JSON.stringify(progress));
        else places.drop('progress');
        if (!hasMore && progress.since === null) releases.dropUnseen(progress.run);
      }),

    writeEvents: (events: readonly Event[]): void =>
      inTransaction(db, () => {
        for (const { type, sequence, data } of events) {
          if (type !== 'delivery.store.updated') continue;
          const { delivery_id: delivery, release_id: release, store } = data as StoreUpdate;
          writeStore.run(delivery, store.store_id, release, store.status, sequence);
        }
        places.write('sequence', String(events.at(-1)?.sequence));
      }),

    close: (): void => db.close(),
  };
}
