/** The details of payout methods are sealed at rest, each bound to its method (architecture §4). */

import type { OrgId } from '../../kernel/ids.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { MethodDetails, PayoutMethod } from '../domain/payout-method.ts';
import type { PayoutMethodId } from '../domain/payout.ts';

const contextOf = (orgId: OrgId, id: PayoutMethodId): string => `payout_method/${orgId}/${id}`;

export const sealDetails = (
  keyring: Keyring,
  orgId: OrgId,
  id: PayoutMethodId,
  details: MethodDetails,
): Buffer => keyring.seal(contextOf(orgId, id), Buffer.from(JSON.stringify(details)));

/** Only to send a payment or to screen the payee. */
export const openDetails = (
  keyring: Keyring,
  orgId: OrgId,
  { id, sealedDetails }: Pick<PayoutMethod, 'id' | 'sealedDetails'>,
): MethodDetails =>
  // Sealed by `sealDetails`, and the seal authenticates it.
  JSON.parse(keyring.open(contextOf(orgId, id), sealedDetails).toString()) as MethodDetails;
