/**
 * Lanes: keys of an object that are not things but places in a queue. The engine runs one message of a lane
 * at a time and keeps the rest, without holding a slot for them; so heavy work never crowds out light work.
 */

import { hash } from 'node:crypto';
import { type Id, type OrgId, parseId } from '../../kernel/ids.ts';

export const laneKeyOf = (kind: string, id: Id<string>, lanes: number): string =>
  `${kind}-${hash('sha256', id, 'buffer').readUInt32BE() % lanes}`;

/** How a message names the row it is about: `org_…:ast_…`. */
export const entityRefOf = (orgId: OrgId, id: Id<string>): string => `${orgId}:${id}`;

export function parseEntityRef<Prefix extends string>(
  prefix: Prefix,
  entityRef: string | undefined,
): { readonly orgId: OrgId; readonly id: Id<Prefix> } {
  const [org = '', own = ''] = (entityRef ?? '').split(':');
  const orgId = parseId('org', org);
  const id = parseId(prefix, own);
  if (orgId === undefined || id === undefined) {
    throw new UnreadableMessage(`a message about ${entityRef}, which names no ${prefix}`);
  }
  return { orgId, id };
}

/** A message no handler can do anything with. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}
