import { Type } from 'typebox';
import { parseId } from '../../kernel/ids.ts';
import { IdOf } from '../../platform/http/schema.ts';
import type { StatementId } from '../domain/calculation.ts';
import { statementNotFound } from '../domain/statement.ts';

export const StatementPath = Type.Object({ statement_id: IdOf('stm') });

/** Throws a Problem for a text that is no id. */
export function statementIdOf(params: { readonly statement_id: string }): StatementId {
  const id = parseId('stm', params.statement_id);
  if (id === undefined) throw statementNotFound();
  return id;
}
