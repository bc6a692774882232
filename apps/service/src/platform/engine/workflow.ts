/**
 * Durable work, as slices write it: objects with short handlers, each a few named steps. A step is one
 * transaction, executed at least once, so it looks before it writes. Nothing but data crosses a step.
 */

import type { Tx, TxOwner } from '../db/database.ts';
import type { EngineMessage, TimerRef } from './outbox.ts';
import type { ConcurrentSideEffects } from './side-effects.ts';

export type HandlerContext = {
  readonly key: string;
  /** What a message to a lane is about. */
  readonly entityRef: string | undefined;
  /** Tried a few times; then the whole handler ends, and whoever keeps the row asks for it again. */
  readonly step: <T extends Json | void>(
    name: string,
    owner: TxOwner,
    work: (tx: Tx) => Promise<T>,
  ) => Promise<T>;
  /** A step outside the database, which may take long: other people's systems, files. At least once. */
  readonly externalStep: <T extends Json>(
    name: string,
    /** The signal says that the engine has given this attempt up: another may be running already. */
    work: (signal: AbortSignal) => Promise<T>,
    /** After so many attempts, or those of a step, it throws `GaveUp`. */
    attemptsMax?: number,
  ) => Promise<T>;
  /** Looks, goes, and notes what came of it, all of it at least once: three steps for the price of one. */
  readonly sideEffect: <Seen, Got>(
    name: string,
    owner: TxOwner,
    errand: SideEffect<Seen, Got>,
  ) => Promise<void>;
  /** Several at once, until there are no more; true if it stopped before. Tried as often as a step. */
  readonly concurrentSideEffects: <Item, Got>(
    name: string,
    owner: TxOwner,
    errands: ConcurrentSideEffects<Item, Got>,
  ) => Promise<boolean>;
  /** To another handler, straight through the engine: what is lost with its disk must be noticed elsewhere. */
  readonly send: (message: EngineMessage) => void;
  /** Runs another handler, and returns once it and everything it has sent have ended. */
  readonly runToCompletion: (message: EngineMessage, timer?: TimerRef) => Promise<void>;
  /** Several at once; returns once all of them have ended. */
  readonly runAllToCompletion: (driven: readonly HandlerCall[]) => Promise<void>;
  /** For a moment: what takes longer is a timer. */
  readonly sleep: (ms: number) => Promise<void>;
  /** By the sandbox's clock, which waits for it. */
  readonly isCallerWaiting: boolean;
  /** A step that is no organization's: upkeep of the database itself. */
  readonly stepWithoutTenant: (name: string, work: () => Promise<unknown>) => Promise<void>;
};

export type HandlerCall = {
  readonly message: EngineMessage;
  readonly timer?: TimerRef | undefined;
};

/** Something done outside the database between two transactions. */
type SideEffect<Seen, Got> = {
  /** In a transaction; undefined when there is nothing to go for. */
  readonly claim: (tx: Tx) => Promise<Seen | undefined>;
  /** Outside. After so many attempts at all of it, it throws `GaveUp`. */
  readonly execute: (seen: Seen, signal: AbortSignal) => Promise<Got>;
  readonly record: (tx: Tx, seen: Seen, got: Got) => Promise<void>;
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
 * Work outside the database that failed again and again, or says itself that trying on is of no use now. What is
 * to become of it is the handler's to say; of one that says nothing, the handler ends.
 */
export class TerminalFailure extends Error {
  override readonly name = 'TerminalFailure';
}
