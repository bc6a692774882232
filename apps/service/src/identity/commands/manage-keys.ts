/** A partner's own API keys (contract §4, §5). */

import type { KeyId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseScopes } from '../domain/granted-scopes.ts';
import { type IssuedKey, keyNotFound } from '../domain/issued-key.ts';
import { countActiveKeys, findKey } from '../store/api-keys.ts';
import { revokeKey } from '../store/credentials.ts';
import { createKey, type NewKeyRequest } from './provision.ts';

export type KeyMaker = { readonly scopes: ReadonlySet<Scope>; readonly quotas: QuotaPolicy };

/** The key stays valid when the key that made it is revoked or expires. */
export async function createOwnKey(
  tx: Tx,
  request: NewKeyRequest,
  maker: KeyMaker,
): Promise<{ readonly key: IssuedKey; readonly secret: string }> {
  enforce(refuseScopes(request.scopes, maker.scopes));
  enforce(refuseBeyond(maker.quotas, 'api_keys', (await countActiveKeys(tx)) + 1));
  return createKey(tx, request);
}

/** Returns the key as it was. A key that is revoked already stays so; a key may revoke itself. */
export async function revokeOwnKey(tx: Tx, id: KeyId): Promise<IssuedKey> {
  const before = await findKey(tx, tx.orgId, id);
  if (before === undefined || !(await revokeKey(tx, id))) throw keyNotFound();
  return before;
}
