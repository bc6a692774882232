/** The events partners receive about royalties (contract §6). */

import { presentStatement, type Statement } from './domain/statement.ts';

export const statementPublished = (statement: Statement) => ({
  type: 'statement.published',
  data: presentStatement(statement),
});
