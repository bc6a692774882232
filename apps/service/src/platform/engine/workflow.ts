/**
 * Durable work, as slices write it: a workflow is a service with short handlers, each a few named steps. A step is one
 * transaction, executed at least once, so it reads its row before it writes. Only data crosses a step.
 */

import type { Tx, TxOwner } from '../db/database.ts';
import type { ConcurrentSideEffects } from './concurrent-side-effects.ts';
import type { EngineMessage, TimerRef } from './outbox.ts';

export type HandlerContext = {
  readonly key: string;
  /** The row that a message to a lane is about. */
  readonly entityRef: string | undefined;
  /** Tried 8 times; then the handler ends, and the reconciler requeues the row (`recheck.ts`). */
  readonly step: <T extends Json | void>(
    name: string,
    owner: TxOwner,
    work: (tx: Tx) => Promise<T>,
  ) => Promise<T>;
  /** A step outside the database, which may take long: other systems, files. Executed at least once. */
  readonly externalStep: <T extends Json>(
    name: string,
    /** The signal is aborted when the engine has given this attempt up: another may be running already. */
    work: (signal: AbortSignal) => Promise<T>,
    /** After this many attempts (default: as many as a step) it throws a `TerminalFailure`. */
    attemptsMax?: number,
  ) => Promise<T>;
  /** Claim, execute and record as one journal entry, where three steps would be three. Executed at least once. */
  readonly sideEffect: <Item, Result>(
    name: string,
    owner: TxOwner,
    sideEffect: SideEffect<Item, Result>,
  ) => Promise<void>;
  /** Several at once, until nothing more is claimed; true if it stopped before. Tried as often as a step. */
  readonly concurrentSideEffects: <Item, Result>(
    name: string,
    owner: TxOwner,
    sideEffects: ConcurrentSideEffects<Item, Result>,
  ) => Promise<boolean>;
  /** To another handler, without an outbox row. If the engine loses its disk it is lost, so a row must be re-checked. */
  readonly send: (message: EngineMessage) => void;
  /** Calls another handler; returns once it and everything it has sent have ended. */
  readonly runToCompletion: (message: EngineMessage, timer?: TimerRef) => Promise<void>;
  /** Several at once; returns once all of them have ended. */
  readonly runAllToCompletion: (calls: readonly HandlerCall[]) => Promise<void>;
  /** For a moment. For longer waits, set a timer. */
  readonly sleep: (ms: number) => Promise<void>;
  /** A clock move or a reset of the sandbox called this handler, and waits for everything that it sends. */
  readonly isCallerWaiting: boolean;
  /** A step without an organization: upkeep of the database itself. */
  readonly stepWithoutTenant: (name: string, work: () => Promise<unknown>) => Promise<void>;
};

export type HandlerCall = {
  readonly message: EngineMessage;
  readonly timer?: TimerRef | undefined;
};

/** Something done outside the database between two transactions. */
type SideEffect<Item, Result> = {
  /** In a transaction; undefined if there is nothing to execute. */
  readonly claim: (tx: Tx) => Promise<Item | undefined>;
  /** Outside of any transaction. */
  readonly execute: (item: Item, signal: AbortSignal) => Promise<Result>;
  readonly record: (tx: Tx, item: Item, result: Result) => Promise<void>;
  /** Of all three together; then it throws a `TerminalFailure`. */
  readonly attemptsMax: number;
};

type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

export type Workflow = {
  readonly service: string;
  readonly handlers: Readonly<Record<string, (run: HandlerContext) => Promise<void>>>;
  /** How long a handler may take over one step before the engine gives the attempt up. */
  readonly inactivityTimeoutMs?: number;
};

/**
 * Work outside the database failed too often, or reported that a retry is of no use now. A handler may catch it and
 * decide what follows; otherwise the handler ends and frees its key.
 */
export class TerminalFailure extends Error {
  override readonly name = 'TerminalFailure';
}
