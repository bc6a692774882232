/** An API key as its organization manages it. Its secret is not part of it: only the hash of the secret is stored. */

import type { Actor } from '../../kernel/actor.ts';
import type { KeyId } from '../../kernel/ids.ts';
import { invalidField, Problem, type Refusal } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';

export type IssuedKey = {
  readonly id: KeyId;
  readonly name: string;
  /** The last characters of the secret, to recognize it. */
  readonly hint: string;
  readonly scopes: readonly Scope[];
  /** All times of a key are real time. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly createdBy: { readonly type: Actor['type']; readonly id: string };
};

export const presentKey = (key: IssuedKey) => ({
  id: key.id,
  name: key.name,
  hint: key.hint,
  scopes: key.scopes,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
  created_by: { type: key.createdBy.type, id: key.createdBy.id },
});

/** A key that has expired when it is created could never be used: the date is a mistake. */
export const refuseExpiry = (expiresAt: Date | null, realNow: Date): Refusal | undefined =>
  expiresAt === null || expiresAt > realNow
    ? undefined
    : invalidField('expires_at', 'must be in the future; omit it for a key that never expires');

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const keyNotFound = (): Problem =>
  new Problem('resource_not_found', 'No API key of your organization has this id.');
