/**
 * A person must confirm destructive calls. There are two ways:
 *
 *   - The client supports elicitation: the server asks, the client shows the question, and the call waits for the answer.
 *   - It does not: the first call does nothing and returns a token with the description of what will happen. The second
 *     call, with the same arguments and the token, runs. A token works once, for ten minutes, for these arguments only.
 *
 * A client with elicitation cannot take the second way, so that a model cannot confirm for its user there.
 */

import { createHash, randomBytes } from 'node:crypto';
import { ToolRefusal } from './refusal.ts';
import type { Arguments } from './tool.ts';

const tokenLifetimeMs = 600_000;
const pendingMax = 100;

export type Answer = 'accepted' | 'declined' | 'canceled';
/** Undefined: the client does not support elicitation. */
export type Elicit = ((message: string) => Promise<Answer>) | undefined;

/** With sorted keys at every depth, so that the order of arguments does not matter. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, canonical(each)]);
}

function digestOf(tool: string, args: Arguments): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, canonical({ ...args, confirmation_token: undefined })]))
    .digest('hex');
}

type Pending = { readonly digest: string; readonly expiresAt: number };

/** What the first call returns instead of running. */
export class ConfirmationNeeded extends Error {
  readonly token: string;

  constructor(effect: string, token: string) {
    super(effect);
    this.token = token;
  }
}

export function createConfirmations(now: () => number = Date.now) {
  const pending = new Map<string, Pending>();

  const issue = (digest: string): string => {
    for (const [token, { expiresAt }] of pending) {
      if (expiresAt <= now() || pending.size >= pendingMax) pending.delete(token);
    }
    const token = `confirm_${randomBytes(12).toString('hex')}`;
    pending.set(token, { digest, expiresAt: now() + tokenLifetimeMs });
    return token;
  };

  const redeem = (token: string, digest: string): void => {
    const found = pending.get(token);
    pending.delete(token);
    if (found !== undefined && found.digest === digest && found.expiresAt > now()) return;
    throw new ToolRefusal({
      code: 'confirmation_invalid',
      message:
        'The confirmation_token is unknown, used, expired, or of a call with other arguments. Nothing was changed.',
      cure: 'Call the tool without confirmation_token, show your user what it answers, and repeat it with the new token.',
    });
  };

  /** Returns when the call may run; throws otherwise. */
  return async (tool: string, args: Arguments, effect: string, elicit: Elicit): Promise<void> => {
    const digest = digestOf(tool, args);
    if (elicit !== undefined) {
      const answer = await elicit(effect);
      if (answer === 'accepted') return;
      throw new ToolRefusal({
        code: 'confirmation_declined',
        message: `Your user ${answer === 'declined' ? 'declined' : 'did not confirm'} this. Nothing was changed.`,
        cure: 'Ask your user what to do instead. Do not repeat the call unless your user asks for it.',
      });
    }
    const { confirmation_token: token } = args;
    if (typeof token === 'string') return redeem(token, digest);
    throw new ConfirmationNeeded(effect, issue(digest));
  };
}
