/** The store's book over HTTP: `GET /holdings` as JSON, `GET /holdings.txt` as a table, `GET /healthz`. */

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { HeldRelease } from './held-release.ts';
import type { SftpStore } from './sftp-store.ts';
import { sftpStoreId } from './store-sheet.ts';

const requestTimeoutMs = 30_000;
/** A longer list of territories is shown as its length. */
const codesShownMax = 5;
const titleLengthMax = 40;

export type BookServerOptions = {
  readonly store: Pick<SftpStore, 'book' | 'history'>;
  readonly now: () => Date;
  /** Why the store does not work; undefined if it does. */
  readonly problem: () => string | undefined;
};

export function createBookServer({ store, now, problem }: BookServerOptions): Server {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://store.invalid');
    if (request.method !== 'GET') return reply(response, 405, { status: 'error' });
    switch (pathname) {
      case '/healthz': {
        const found = problem();
        return found === undefined
          ? reply(response, 200, { status: 'ok' })
          : reply(response, 503, { status: 'error', problem: found });
      }
      case '/holdings':
        return reply(response, 200, presentBook(store, now()));
      case '/holdings.txt':
        return replyWith(response, 200, 'text/plain; charset=utf-8', drawBook(store, now()));
      default:
        return reply(response, 404, { status: 'error' });
    }
  });
  server.requestTimeout = requestTimeoutMs;
  return server;
}

const byCode = ({ book }: BookServerOptions['store']): readonly HeldRelease[] =>
  [...book().values()].toSorted((one, other) => (one.code < other.code ? -1 : 1));

/** `scheduled`: the store has it, and offers it from a later day on. By the days of UTC, in real time. */
function statusAt({ isLive, start }: HeldRelease, now: Date): 'live' | 'scheduled' | 'removed' {
  if (!isLive) return 'removed';
  return start !== null && start.slice(0, 10) > now.toISOString().slice(0, 10)
    ? 'scheduled'
    : 'live';
}

const presentBook = (store: BookServerOptions['store'], now: Date) => ({
  store_id: sftpStoreId,
  messages_read: store.history().length,
  releases: byCode(store).map((release) => ({
    code: release.code,
    title: release.title,
    status: statusAt(release, now),
    territories: release.territories,
    start: release.start,
    tracks: release.tracks,
    streamable_tracks: release.streamable,
    message_id: release.messageId,
  })),
});

function drawBook(store: BookServerOptions['store'], now: Date): string {
  const releases = byCode(store);
  const rows = releases.map((release) => {
    const { code, title, tracks, territories, start } = release;
    return [
      code,
      statusAt(release, now),
      String(tracks.length),
      start ?? '',
      territories.length > codesShownMax ? `${territories.length} codes` : territories.join(' '),
      title.length > titleLengthMax ? `${title.slice(0, titleLengthMax - 1)}…` : title,
    ];
  });
  const header = ['CODE', 'STATUS', 'TRACKS', 'START', 'TERRITORIES', 'TITLE'];
  const total = `Releases: ${releases.length}. Messages read: ${store.history().length}.`;
  return `${drawTable([header, ...rows])}\n\n${total}\n`;
}

function drawTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

const reply = (response: ServerResponse, status: number, body: object): void =>
  replyWith(response, status, 'application/json', `${JSON.stringify(body, undefined, 2)}\n`);

function replyWith(
  response: ServerResponse,
  status: number,
  contentType: string,
  text: string,
): void {
  response.writeHead(status, { 'content-type': contentType }).end(text);
}
