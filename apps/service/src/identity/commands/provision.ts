/**
 * An operator's commands for organizations. Each runs in a `Tx` of its organization and uses real time: a
 * sandbox clock moves releases, not keys and contracts.
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Currency } from '../../kernel/currency.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { KeyId } from '../../kernel/ids.ts';
import { isRegistrant } from '../../kernel/isrc.ts';
import { enforce, Problem } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import { isTerritoryCode, world } from '../../kernel/territory.ts';
import type { Tier } from '../../kernel/tier.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import { keyRandomBytes, makeKey } from '../domain/api-key.ts';
import { type IssuedKey, refuseExpiry } from '../domain/issued-key.ts';
import type { Organization } from '../domain/organization.ts';
import { hintOf } from '../domain/secret-form.ts';
import { splitIntoBlocks, rangeOfPrefix } from '../domain/upc-range.ts';
import type { Verification } from '../domain/verification.ts';
import { notifyResumed } from '../messages.ts';
import { insertKey, revokeKey } from '../store/credentials.ts';
import { insertRegistrant } from '../store/isrc-registrants.ts';
import {
  findOrganization,
  insertOrganization,
  setManualReview,
  setStatementCurrency,
  setSuspended,
  setTier,
} from '../store/organizations.ts';
import { insertRange } from '../store/upc-pool.ts';

/** The id is `tx.orgId`: the same organization can exist in sandbox and live. */
export function createOrganization(
  tx: Tx,
  organization: Omit<Organization, 'id'>,
  verification: Verification,
): void {
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
  insertOrganization(tx, organization, verification);
}

export async function suspendOrganization(tx: Tx): Promise<void> {
  if (!(await setSuspended(tx, tx.realNow))) throw unknownOrganization(tx);
}

/** The webhooks slice continues with the attempts that waited. */
export async function resumeOrganization(tx: Tx): Promise<void> {
  if (!(await setSuspended(tx, null))) throw unknownOrganization(tx);
  enqueueDurablyInRealTime(tx, notifyResumed(tx.orgId));
}

export async function changeTier(tx: Tx, tier: Tier): Promise<void> {
  if (!(await setTier(tx, tier))) throw unknownOrganization(tx);
}

/** Balances stay in the currency that they are in. */
export async function changeStatementCurrency(tx: Tx, currency: Currency): Promise<void> {
  if (!(await setStatementCurrency(tx, currency))) throw unknownOrganization(tx);
}

export async function switchManualReview(tx: Tx, isOn: boolean): Promise<void> {
  if (!(await setManualReview(tx, isOn))) throw unknownOrganization(tx);
}

export async function requireOrganization(tx: Tx): Promise<void> {
  if ((await findOrganization(tx, tx.orgId)) === undefined) throw unknownOrganization(tx);
}

export const unknownOrganization = (tx: Tx) =>
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
): Promise<{ readonly key: IssuedKey; readonly secret: string }> {
  await requireOrganization(tx);
  const { environment, name, scopes, expiresAt } = request;
  if (scopes.length === 0)
    throw new Problem('invalid_field', 'A key must have at least one scope. Send --scopes.');
  enforce(refuseExpiry(expiresAt, tx.realNow));
  const secret = makeKey(environment, randomBytes(keyRandomBytes), crc32);
  const key: IssuedKey = {
    id: tx.newId('key'),
    name,
    hint: hintOf(secret),
    scopes,
    expiresAt,
    revokedAt: null,
    lastUsedAt: null,
    createdAt: tx.realNow,
    createdBy: tx.actor,
  };
  insertKey(tx, key, secret);
  return { key, secret };
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
    throw new Problem('invalid_field', 'A GS1 company prefix must have 6 to 10 digits.');
  }
  insertRange(tx, range, splitIntoBlocks(range));
  return { ...range, count: range.last - range.first + 1 };
}

/** The organization's registrant code from an ISRC agency: country and registrant, `QZABC`. */
export async function addRegistrant(tx: Tx, registrant: string): Promise<void> {
  await requireOrganization(tx);
  if (!isRegistrant(registrant)) {
    throw new Problem(
      'invalid_field',
      'A registrant code must be two letters and three letters or digits, such as QZABC.',
    );
  }
  insertRegistrant(tx, registrant);
}
