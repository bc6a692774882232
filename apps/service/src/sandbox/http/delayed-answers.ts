/**
 * Delays the answers of inboxes that a partner scripted with a `delay`. A delayed answer occupies a timer and an open
 * connection, nothing else. It ends early when the sender hangs up or the server closes.
 */

import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { OrgId } from '../../kernel/ids.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { delaySecondsMax } from '../domain/inbox.ts';

/** Per organization and process; answers beyond it are sent without a delay. */
const waitingMax = 200;

/** The server's own socket timeout is shorter than the longest delay. */
const silenceMs = (delaySecondsMax + 5) * 1_000;

export type DelayAnswer = (
  orgId: OrgId,
  delaySeconds: number,
  connection: ServerResponse,
) => Promise<void>;

export function createAnswerDelay(server: Server): DelayAnswer {
  const waiting = new Map<OrgId, Set<AbortController>>();
  server.addHook('preClose', (done) => {
    for (const delay of [...waiting.values()].flatMap((delays) => [...delays])) delay.abort();
    done();
  });

  return async (orgId, delaySeconds, connection) => {
    const delays = waiting.get(orgId) ?? new Set();
    if (delaySeconds === 0 || delays.size >= waitingMax || connection.closed) return;
    const delay = new AbortController();
    waiting.set(orgId, delays.add(delay));
    connection.once('close', () => delay.abort());
    connection.socket?.setTimeout(silenceMs);
    try {
      await wait(delaySeconds * 1_000, undefined, { signal: delay.signal });
    } catch (error) {
      if (!delay.signal.aborted) throw error;
    } finally {
      delays.delete(delay);
      if (delays.size === 0) waiting.delete(orgId);
    }
  };
}
