/** Why a command ends without success, and with which status. Scripts decide by the status. */

export const exitCodes = {
  ok: 0,
  /** The API refused, or could not be reached. */
  api: 1,
  /** The command line, a file or a setting is wrong; no request was sent because of it. */
  usage: 2,
  /** The time to wait is over; what was waited for can still happen. */
  waitTimeout: 3,
  /** It has ended, but not as wished: rejected by a store, a file that failed. */
  notDelivered: 4,
  /** Ctrl-C, as shells say it. */
  interrupted: 130,
} as const;

export type FailureKind = Exclude<keyof typeof exitCodes, 'ok'>;

/** Printed as `code: message`, with what to do next below it. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly code: string;
  readonly next: readonly string[];

  constructor(kind: FailureKind, code: string, message: string, next: readonly string[] = []) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.next = next;
  }
}

export const usageFailure = (message: string, ...next: string[]): Failure =>
  new Failure('usage', 'usage', message, next);
