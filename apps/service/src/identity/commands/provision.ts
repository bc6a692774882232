/**
 * An operator's commands for organizations. Each runs in a `Tx` of its organization and uses real time: a
 * sandbox clock moves releases, not keys and contracts.
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '../../kernel/environment.ts';
import type { KeyId } from '../../kernel/ids.ts';
import { isRegistrant } from '../../kernel/isrc.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import { isTerritoryCode, world } from '../../kernel/territory.ts';
import type { Tx } from '../../platform/db/database.ts';
import { keyRandomBytes, makeKey } from '../domain/api-key.ts';
import type { Organization } from '../domain/organization.ts';
import { splitIntoBlocks, rangeOfPrefix } from '../domain/upc-range.ts';
import { insertKey, revokeKey } from '../store/credentials.ts';
import { insertRegistrant } from '../store/isrc-registrants.ts';
import {
  findOrganization,
  insertOrganization,
  setManualReview,
  setSuspended,
} from '../store/organizations.ts';
import { insertRange } from '../store/upc-pool.ts';

/** The id is `tx.orgId`: the same organization can exist in sandbox and live. */
export function createOrganization(tx: Tx, organization: Omit<Organization, 'id'>): void {
  const { licensedTerritories } = organization;
  const isWorld = licensedTerritories.length === 1 && licensedTerritories[0] === world;
  if (
    !isWorld &&
    (licensedTerritories.length === 0 || !licensedTerritories.every(isTerritoryCode))
  ) {
    throw new Problem(
      'territory_not_supported',
      'Licensed territories must be ISO 3166-1 alpha-2 codes, or WORLD alone.',
    );
  }
  insertOrganization(tx, organization);
}

export async function suspendOrganization(tx: Tx): Promise<void> {
  if (!(await setSuspended(tx, tx.realNow))) throw unknownOrganization(tx);
}

export async function resumeOrganization(tx: Tx): Promise<void> {
  if (!(await setSuspended(tx, null))) throw unknownOrganization(tx);
}

export async function switchManualReview(tx: Tx, isOn: boolean): Promise<void> {
  if (!(await setManualReview(tx, isOn))) throw unknownOrganization(tx);
}

async function requireOrganization(tx: Tx): Promise<void> {
  if ((await findOrganization(tx, tx.orgId)) === undefined) throw unknownOrganization(tx);
}

const unknownOrganization = (tx: Tx) =>
  new Problem('resource_not_found', `There is no organization ${tx.orgId}.`);

export type NewKeyRequest = {
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
};

/** Returns the secret, which is not stored: only its hash is. */
export async function createKey(
  tx: Tx,
  request: NewKeyRequest,
): Promise<{ id: KeyId; secret: string }> {
  await requireOrganization(tx);
  const { environment, name, scopes, expiresAt } = request;
  if (scopes.length === 0) throw new Problem('invalid_field', 'A key needs at least one scope.');
  const id = tx.newId('key');
  const secret = makeKey(environment, randomBytes(keyRandomBytes), crc32);
  insertKey(tx, { id, name, secret, scopes, expiresAt });
  return { id, secret };
}

export async function revokeApiKey(tx: Tx, keyId: KeyId): Promise<void> {
  const isKnown = await revokeKey(tx, keyId);
  if (!isKnown) throw new Problem('resource_not_found', `${tx.orgId} has no key ${keyId}.`);
}

export async function addUpcRange(
  tx: Tx,
  prefix: string,
): Promise<{ first: number; last: number; count: number }> {
  await requireOrganization(tx);
  const range = rangeOfPrefix(prefix);
  if (range === undefined) {
    throw new Problem('invalid_field', 'A GS1 company prefix has 6 to 10 digits.');
  }
  insertRange(tx, range, splitIntoBlocks(range));
  return { ...range, count: range.last - range.first + 1 };
}

/** The organization's registrant code from an ISRC agency: country and registrant, `QZABC`. */
export async function addRegistrant(tx: Tx, registrant: string): Promise<void> {
  await requireOrganization(tx);
  if (!isRegistrant(registrant)) {
    throw new Problem('invalid_field', 'A registrant code is two letters and three characters.');
  }
  insertRegistrant(tx, registrant);
}
