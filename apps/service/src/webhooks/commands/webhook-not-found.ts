import { Problem } from '../../kernel/problem.ts';

export const webhookNotFound = () =>
  new Problem('resource_not_found', 'There is no such webhook in this organization.');
