import {
  type ProblemCode,
  problemCodes,
  problems,
} from '../../../apps/service/src/kernel/problem.ts';
import { prose } from './table.ts';

/** A section for each code, with the code as its id: `error.doc_url` leads there. */
export const errorCodes = (): string => problemCodes.map(section).join('\n\n');

function section(code: ProblemCode): string {
  const { status, cause, cure } = problems[code];
  return [
    `## ${code}`,
    `**HTTP ${status}.** ${prose(cause)}`,
    `**What to do.** ${prose(cure)}`,
    `**Retry.** ${retryAdvice(code)}`,
  ].join('\n\n');
}

/** Codes whose request may succeed later although nothing in it changed. */
const retryable: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'idempotency_key_in_use',
  'internal_error',
  'quota_exceeded',
  'rate_limit_exceeded',
  'service_unavailable',
]);

function retryAdvice(code: ProblemCode): string {
  if (retryable.has(code)) {
    return 'Send the same request again, with the same `Idempotency-Key`. This answer is not stored for the key.';
  }
  if (code === 'idempotency_key_reused') return 'Send the request with a new `Idempotency-Key`.';
  return problems[code].stored
    ? 'The same request gets the same answer. This answer is stored for the `Idempotency-Key`: once the cause is removed, send the request with a new key.'
    : 'The same request gets the same answer. This answer is not stored for the `Idempotency-Key`: send the corrected request with the same key or a new one.';
}
