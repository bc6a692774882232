/** The events of the organization after a number, one by one, for as long as the program runs. */

import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, ConnectionError, type StoredEvent, type Tonearm } from '@tonearm/sdk';
import { usageFailure } from '../failure.ts';
import { durationMs } from '../output/units.ts';

const pollMs = 1_000;
const eventsAtOnce = 100;

/** The number of the newest event: from here on, everything is new. */
export async function newestSequence(client: Tonearm, signal: AbortSignal): Promise<number> {
  const { data } = await client.events.list({ limit: 1 }, { signal }).page();
  return data[0]?.sequence ?? 0;
}

/** The number before the first event since a time. Events have the time of the sandbox clock, if it was moved. */
async function sequenceAt(
  client: Tonearm,
  instantMs: number,
  signal: AbortSignal,
): Promise<number> {
  let oldest: number | undefined;
  for await (const event of client.events.list({ limit: eventsAtOnce }, { signal })) {
    if (Date.parse(event.created_at) < instantMs) return event.sequence;
    oldest = event.sequence;
  }
  return oldest === undefined ? 0 : oldest - 1;
}

/** `--since` is a number, `10m`, or an instant. */
export async function sequenceSince(
  client: Tonearm,
  since: string,
  signal: AbortSignal,
): Promise<number> {
  if (/^\d+$/.test(since)) return Number(since);
  const ago = durationMs(since);
  const instantMs = ago === undefined ? Date.parse(since) : Date.now() - ago;
  if (Number.isNaN(instantMs)) {
    throw usageFailure('--since is the number of an event, a time such as 10m, or an instant.');
  }
  return sequenceAt(client, instantMs, signal);
}

/** The service, or the way to it, is away for a while. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));

export async function* eventsAfter(
  client: Tonearm,
  start: number,
  signal: AbortSignal,
  onAway: (error: unknown) => void,
): AsyncGenerator<StoredEvent, void, undefined> {
  for (let after = start; ;) {
    let page: readonly StoredEvent[] = [];
    try {
      ({ data: page } = await client.events
        .list({ after, limit: eventsAtOnce }, { signal })
        .page());
    } catch (error) {
      if (!isPassing(error)) throw error;
      onAway(error);
    }
    for (const event of page) {
      yield event;
      after = event.sequence;
    }
    if (page.length < eventsAtOnce) await wait(pollMs, undefined, { signal });
  }
}
