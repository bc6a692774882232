/** What a failed statement means, by SQLSTATE (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
type DatabaseFailure = 'conflict' | 'unavailable' | 'other';

/** Another transaction committed first: a retry sees its changes. */
const conflicts = new Set(['23505', '40001', '40P01']);

/** Starting or stopping; out of memory, disk or connections; a lock or statement timeout; a standby. */
const unavailable = new Set(
  '57P01 57P02 57P03 57014 53100 53200 53300 53400 55P03 25006 25P03'.split(' '),
);

/** Another transaction changed rows that the work had read: a retry sees the change. */
export class Conflict extends Error {
  override readonly name = 'Conflict';
}

/** A deadlock, or a lock that was not free in time: rolled back as a whole, the work can be done again. */
export const isLockFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['40P01', '55P03'].includes(String(error.code));

const networkCodes = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH'.split(' '),
);
const networkMessages =
  /connection terminated|timeout exceeded when trying to connect|not queryable/i;

export function failureOf(error: unknown): DatabaseFailure {
  if (!(error instanceof Error)) return 'other';
  if (error instanceof Conflict) return 'conflict';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (conflicts.has(code)) return 'conflict';
  if (unavailable.has(code) || networkCodes.has(code) || networkMessages.test(error.message)) {
    return 'unavailable';
  }
  // 08xxx: connection exceptions.
  return /^08\w{3}$/.test(code) ? 'unavailable' : 'other';
}
