/**
 * Answers that were told to come late. Each is a timer and an open connection, nothing else; it ends early
 * when the sender hangs up or the server closes.
 */

import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { OrgId } from '../../kernel/ids.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { delaySecondsMax } from '../domain/inbox.ts';

/** Of one organization, in this process: those beyond it are not made to wait, nor kept open. */
const waitingMax = 200;

/** The server lets go of connections that are silent for less than the longest delay. */
const silenceMs = (delaySecondsMax + 5) * 1_000;

export type DelayAnswer = (
  orgId: OrgId,
  delaySeconds: number,
  connection: ServerResponse,
) => Promise<void>;

export function createAnswerDelay(server: Server): DelayAnswer {
  const waiting = new Map<OrgId, Set<AbortController>>();
  server.addHook('preClose', (done) => {
    for (const each of [...waiting.values()].flatMap((ends) => [...ends])) each.abort();
    done();
  });

  return async (orgId, delaySeconds, connection) => {
    const ends = waiting.get(orgId) ?? new Set();
    if (delaySeconds === 0 || ends.size >= waitingMax || connection.closed) return;
    const end = new AbortController();
    waiting.set(orgId, ends.add(end));
    connection.once('close', () => end.abort());
    connection.socket?.setTimeout(silenceMs);
    try {
      await wait(delaySeconds * 1_000, undefined, { signal: end.signal });
    } catch (error) {
      if (!end.signal.aborted) throw error;
    } finally {
      ends.delete(end);
      if (ends.size === 0) waiting.delete(orgId);
    }
  };
}
