import { Problem } from '../../kernel/problem.ts';

export const deliveryNotFound = () =>
  new Problem('resource_not_found', 'There is no such delivery in this organization.');
