import { Problem } from '../../kernel/problem.ts';

/** Messages for violated constraints of the database. */
const constraintProblems: Readonly<Record<string, string>> = {
  '23505': 'This id or range already exists.',
  '23P01': 'This range overlaps a range that is already assigned.',
  '23514': 'A value is too long, or is not allowed.',
};

export function explainConstraint(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = constraintProblems[code];
  return message === undefined ? error : new Problem('invalid_field', message);
}
