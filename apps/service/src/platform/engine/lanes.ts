/**
 * Lanes: keys of a virtual object that are places in a queue instead of entities. The engine runs one message of a lane
 * at a time and queues the others without holding a slot for them, so heavy work does not crowd out light work.
 */

import { hash } from 'node:crypto';
import { type Id, type OrgId, parseId } from '../../kernel/ids.ts';

export const laneKeyOf = (kind: string, id: Id<string>, lanes: number): string =>
  `${kind}-${hash('sha256', id, 'buffer').readUInt32BE() % lanes}`;

/** The row that a message is about: `org_…:ast_…`. */
export const entityRefOf = (orgId: OrgId, id: Id<string>): string => `${orgId}:${id}`;

export function parseEntityRef<Prefix extends string>(
  prefix: Prefix,
  entityRef: string | undefined,
): { readonly orgId: OrgId; readonly id: Id<Prefix> } {
  const [org = '', entity = ''] = (entityRef ?? '').split(':');
  const orgId = parseId('org', org);
  const id = parseId(prefix, entity);
  if (orgId === undefined || id === undefined) {
    throw new UnreadableMessage(
      `the entity reference ${entityRef} does not contain a ${prefix}_ id`,
    );
  }
  return { orgId, id };
}

/** A message that no handler can process, however often it is retried. */
export class UnreadableMessage extends Error {
  override readonly name = 'UnreadableMessage';
}
