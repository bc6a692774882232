/**
 * Keeps a copy of your catalogue in a SQLite file, as a nightly job: node examples/catalogue-sync/sync.ts catalogue.sqlite
 *
 * The first run reads every release with its tracks. Later runs read the releases that changed since (`updated_since`),
 * and the events since the last one that was read (`after`), which say what became of releases at the stores. Each page
 * is written in one transaction with the place of the next: a run that is killed continues there, and a page that is
 * read twice changes nothing. `--full` reads everything again, and removes releases that you have deleted.
 */

import { Tonearm } from '@tonearm/sdk';
import { openCopy, type Progress } from './copy.ts';

const file = process.argv.slice(2).find((each) => !each.startsWith('-')) ?? 'catalogue.sqlite';
const isFull = process.argv.includes('--full');
const pageSize = Number(process.env['PAGE_SIZE'] ?? 100);
/** A change may become visible a moment after its `updated_at`. */
const overlapMs = 300_000;

const tonearm = new Tonearm({ userAgent: 'catalogue-sync/1.0' });
const copy = openCopy(file);

/** By the server's clock: this machine's may be wrong. */
const timeOf = (response: Response): number =>
  Date.parse(response.headers.get('date') ?? '') || Date.now();

async function syncReleases(): Promise<number> {
  let progress: Progress | undefined = copy.progress();
  for (;;) {
    const since = progress === undefined ? (isFull ? null : copy.since()) : progress.since;
    const call = tonearm.releases.list({
      limit: pageSize,
      ...(typeof progress?.cursor === 'string' && { cursor: progress.cursor }),
      ...(since !== null && { updated_since: since }),
    });
    const { data: page, response } = await call.page().withResponse();
    const before = progress ?? {
      run: crypto.randomUUID(),
      begunAt: timeOf(response),
      newest: 0,
      count: 0,
    };
    const next: Progress = {
      ...before,
      since,
      cursor: page.next_cursor,
      newest: Math.max(
        before.newest,
        ...page.data.map((release) => Date.parse(release.updated_at)),
      ),
      count: before.count + page.data.length,
    };
    // A change of a track is a new revision of its release: other tracks need not be read again.
    const changed = page.data.filter(({ id, revision }) => copy.revisionOf(id) !== revision);
    const tracks = new Map<string, readonly object[]>();
    for (const { id } of changed) tracks.set(id, await tonearm.releases.listTracks(id).toArray());
    copy.writePage(page.data, tracks, next, page.has_more);
    if (page.has_more) {
      progress = next;
      continue;
    }
    // A release that changed after its page was read is newer than the beginning of this run. The sandbox clock may be
    // behind real time; then the newest change counts.
    if (next.newest > 0) copy.setSince(Math.min(next.begunAt, next.newest) - overlapMs);
    return next.count;
  }
}

async function syncStores(): Promise<number> {
  for (let count = 0; ;) {
    const { data } = await tonearm.events
      .list({ after: copy.lastSequence(), limit: pageSize })
      .page();
    if (data.length === 0) return count;
    copy.writeEvents(data);
    count += data.length;
  }
}

const releases = await syncReleases();
const events = await syncStores();
copy.close();
console.log(`${releases} releases and ${events} events read into ${file}`);
