/**
 * The one place where a change is executed (architecture §4):
 *
 *   open · claim the key · savepoint → command → answer · audit · stored answer · commit
 *
 * `prepare` runs before it, for slow work and calls to other systems. A refusal rolls back to the savepoint and is
 * stored for its key where contract §8 says so. After a conflict with another transaction (a unique index, a deadlock),
 * all of it runs again and sees what that transaction committed.
 */

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { Clock } from '../../kernel/clock.ts';
import type { Effect } from '../../kernel/effect.ts';
import type { RequestId } from '../../kernel/ids.ts';
import { Problem, problems } from '../../kernel/problem.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { appendAudit, type AuditEntry } from '../db/audit.ts';
import type { Database, Tx, TxControl } from '../db/database.ts';
import { failureOf } from '../db/failures.ts';
import {
  type Claim,
  claimKey,
  replaceAnswer,
  type StoredAnswer,
  storeAnswer,
} from '../db/idempotency.ts';
import { type Answer, digestOfAnswer, refusalAnswer } from './answer.ts';
import type { Caller } from './caller.ts';
import { withMistakenId } from './failures.ts';
import type { Server } from './fastify-types.ts';
import type { Input, Operation } from './operation.ts';
import { inputOf, register, requestIdOf, send } from './register.ts';

export type MutationDeps = {
  readonly db: Database;
  readonly clock: Clock;
  readonly keyring: Keyring;
};

/** What a command returns: the answer, and what the audit row says about the changed resource. */
export type MutationResult = {
  readonly answer: Answer;
  readonly auditedId: string;
  /** The resource before the change, as GET presented it. Undefined: the change created it. */
  readonly before: object | undefined;
  /** The resource after the change, if the answer is something else. Undefined: what the answer presents. */
  readonly after?: object;
  /** Other resources that the same change concerns: each has its own audit row. */
  readonly alsoChanged?: readonly Omit<AuditEntry, 'action'>[];
};

/** Parts of a change that are not in its transaction, such as calls to other systems. */
type MutationHooks<RequestInput, Prepared> = {
  /** Before each transaction. The command receives the result and refuses, so that a replay is not refused. */
  readonly prepare: (input: RequestInput) => Promise<Prepared>;
  /** Applied to every answer, also to a replayed one: adds what is never stored, such as signed URLs. */
  readonly finish?: (answer: Answer, input: RequestInput) => Promise<Answer>;
  /**
   * After the change has committed: calls another system and returns a second transaction, which adds the result to the
   * change and replaces its stored answer. If that transaction never commits, the first answer stays. Undefined: there
   * is nothing to call.
   */
  readonly followUp?: (answer: Answer, input: RequestInput) => Promise<FollowUp | undefined>;
};

export type FollowUp = (tx: Tx) => Promise<Answer>;

const attemptsMax = 3;

type KeyedRequest = { readonly key: string; readonly fingerprint: Buffer };

type Change = {
  readonly action: string;
  readonly requestId: RequestId;
  readonly docsOrigin: string;
  readonly pathParameters: unknown;
  readonly caller: Caller;
  readonly keyed: KeyedRequest | undefined;
  readonly run: (tx: Tx) => Promise<MutationResult>;
};

/** A route that changes something. `action` names the change in the audit log. */
export function mutation<
  Params extends TObject | undefined,
  Query extends TObject | undefined,
  Body extends TObject | undefined,
  Prepared = undefined,
>(
  server: Server,
  deps: MutationDeps,
  operation: Operation<Params, Query, Body> & { readonly action: string; readonly effect: Effect },
  command: (
    tx: Tx,
    input: Input<Params, Query, Body>,
    prepared: Prepared,
  ) => Promise<MutationResult>,
  { prepare, finish, followUp }: Partial<MutationHooks<Input<Params, Query, Body>, Prepared>> = {},
): void {
  register(server, operation, async (request, reply) => {
    const input = inputOf<Params, Query, Body>(request);
    const change: Omit<Change, 'run'> = {
      action: operation.action,
      requestId: requestIdOf(request),
      docsOrigin: server.publicOriginOf(request),
      pathParameters: request.params,
      caller: input.caller,
      keyed: keyOf(request, input.caller),
    };
    const first = await retryOnConflict(async () => {
      // Without a `prepare`, Prepared is undefined.
      const prepared = (await prepare?.(input)) as Prepared;
      return execute(deps, { ...change, run: (tx) => command(tx, input, prepared) });
    });
    const isFresh = first.status < 300 && first.headers[replayedHeader] === undefined;
    const work = isFresh ? await followUp?.(first, input) : undefined;
    const answer =
      work === undefined ? first : await retryOnConflict(() => completeWith(deps, change, work));
    return send(reply, (await finish?.(answer, input)) ?? answer);
  });
}

const replayedHeader = 'idempotency-replayed';

/** Runs the second transaction of a change; its answer replaces the stored one. */
function completeWith(
  { db, clock, keyring }: MutationDeps,
  { caller: { orgId, actor }, keyed, requestId }: Omit<Change, 'run'>,
  work: FollowUp,
): Promise<Answer> {
  return db.transact({ orgId, actor, requestId }, async (tx) => {
    const answer = await work(tx);
    if (keyed !== undefined) {
      const sealedBody = keyring.seal(sealContext(tx, keyed.key), Buffer.from(answer.body));
      replaceAnswer(tx, keyed.key, clock.now(), { ...answer, sealedBody });
    }
    return answer;
  });
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The key as it is stored: bare, in lower case. Undefined: it is not a UUID v4. */
export function parseKey(text: string): string | undefined {
  const key = text.replace(/^"(.*)"$/, '$1').toLowerCase();
  return uuidV4.test(key) ? key : undefined;
}

/**
 * Spec §5.3: POST and PATCH take a key; it must be a UUID v4, bare or quoted (contract §8). The credential is part of the
 * fingerprint: a stored answer may have a secret, which no other credential of the organization must get.
 */
function keyOf(request: FastifyRequest, { actor }: Caller): KeyedRequest | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined || request.method === 'DELETE') return undefined;
  const key = parseKey(String(header));
  if (key === undefined) {
    throw new Problem(
      'invalid_idempotency_key',
      'Idempotency-Key must be a UUID v4 such as "0b7c1b1e-6f0e-4c43-9d2c-0c4f2a1d9d5e". Send a new one for each change.',
    );
  }
  const fingerprint = createHash('sha256')
    .update(`${actor.id}\n${request.method} ${request.url}\n`)
    .update(request.rawBody ?? '')
    .digest();
  return { key, fingerprint };
}

/** Runs the work again after a conflict with another transaction. */
async function retryOnConflict(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (failureOf(error) !== 'conflict' || attempt === attemptsMax) throw error;
    }
  }
}

function execute({ db, clock, keyring }: MutationDeps, change: Change): Promise<Answer> {
  const { keyed } = change;
  const { orgId, actor } = change.caller;
  const { requestId } = change;
  const realNow = clock.now();
  return db.transactWithOpening(
    { orgId, actor, requestId },
    async (opening): Promise<Claim> =>
      keyed === undefined ? { kind: 'claimed' } : claimKey(opening, orgId, keyed.key, realNow),
    async (tx, claim, control) => {
      if (keyed !== undefined && claim.kind === 'answered') {
        return replay(keyring, tx, keyed, claim.answer);
      }
      if (claim.kind === 'in_use') {
        throw new Problem(
          'idempotency_key_in_use',
          'A request with this Idempotency-Key is still being executed. Send it again after the seconds in Retry-After.',
          { headers: { 'retry-after': '1' } },
        );
      }
      const answer = await decide(tx, control, change);
      if (keyed !== undefined) {
        storeAnswer(tx, keyed.key, realNow, {
          fingerprint: keyed.fingerprint,
          requestId: change.requestId,
          actorId: actor.id,
          status: answer.status,
          headers: answer.headers,
          sealedBody: keyring.seal(sealContext(tx, keyed.key), Buffer.from(answer.body)),
        });
      }
      return answer;
    },
  );
}

/** Runs the command. A refusal that contract §8 stores becomes the answer of a committed transaction. */
async function decide(tx: Tx, control: TxControl, change: Change): Promise<Answer> {
  try {
    const { answer, auditedId, before, after, alsoChanged = [] } = await change.run(tx);
    const { action } = change;
    appendAudit(tx, { action, auditedId, before, after: after ?? digestOfAnswer(answer) });
    for (const entry of alsoChanged) appendAudit(tx, { action, ...entry });
    return answer;
  } catch (error) {
    const isStored = error instanceof Problem && problems[error.code].stored;
    if (!isStored || change.keyed === undefined) throw error;
    await control.undo();
    const problem = withMistakenId(error, change.pathParameters);
    return refusalAnswer(problem, change.requestId, change.docsOrigin);
  }
}

/** The context in which the body of a stored answer is sealed. */
export const sealContext = ({ orgId }: Pick<Tx, 'orgId'>, key: string) =>
  `idempotency/${orgId}/${key}`;

function replay(keyring: Keyring, tx: Tx, keyed: KeyedRequest, stored: StoredAnswer): Answer {
  if (!stored.fingerprint.equals(keyed.fingerprint)) {
    throw new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for a different method, path or body, or by another credential. Send a new key for each change.',
    );
  }
  return {
    status: stored.status,
    headers: { ...stored.headers, [replayedHeader]: 'true' },
    body: keyring.open(sealContext(tx, keyed.key), stored.sealedBody).toString(),
  };
}
