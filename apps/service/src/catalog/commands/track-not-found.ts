import { Problem } from '../../kernel/problem.ts';

/** One message for an unknown id, a malformed one and another organization's (contract §5). */
export const trackNotFound = (): Problem =>
  new Problem('resource_not_found', 'There is no track with this id.');
