/**
 * How one store wants its messages. Stores read the same standard differently, so what differs is data, not code: the
 * operator sets it for each store.
 */

import type { MessagingParty } from '@tonearm/ern';
import type { Snapshot } from '../../../catalog/face.ts';
import type { Store } from '../../../network/face.ts';

type ReleaseType = NonNullable<Snapshot['release']['type']>;
type PriceTier = NonNullable<Snapshot['release']['priceTier']>;

/** DDEX's HashSumAlgorithmType. */
export const hashAlgorithms = ['SHA-256', 'MD5'] as const;
export type HashAlgorithm = (typeof hashAlgorithms)[number];

export type Dialect = {
  readonly ernVersion: Store['capabilities']['ernVersion'];
  readonly sender: MessagingParty;
  /** At least one; some stores name themselves and their parent. */
  readonly recipients: readonly MessagingParty[];
  readonly isTest: boolean;
  /** DDEX's ReleaseType for each of ours. Stores differ about compilations. */
  readonly releaseTypes: Readonly<Record<ReleaseType, string>>;
  /** The namespace of the store's ids of artists. Null: the store takes none. */
  readonly artistIdNamespace: string | null;
  /** Whether subscribers may download what they stream (`ConditionalDownload`), as they may at nearly every store. */
  readonly takesOfflineStreams: boolean;
  /** With which the store compares files. */
  readonly hashAlgorithm: HashAlgorithm;
  /** The store's price class for each of our price tiers. Null: the store has no price classes. */
  readonly priceCodes: Readonly<Record<PriceTier, string>> | null;
};

export const usualReleaseTypes: Dialect['releaseTypes'] = {
  single: 'Single',
  ep: 'EP',
  album: 'Album',
  compilation: 'Album',
};

/** Of the service in the sandbox. A real one is assigned by DDEX. */
const fictionalSender: MessagingParty = { dpid: 'PADPIDA2026010101T', name: 'Tonearm' };
const fictionalNumberMax = 10_000_000_000;

/** Ten digits that only depend on the name of the store, as DDEX would assign them. */
function fictionalDpid(storeId: string): string {
  const number = Array.from(storeId).reduce(
    (sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % fictionalNumberMax,
    7,
  );
  return `PADPIDA${String(number).padStart(10, '0')}S`;
}

/** For a store that is simulated, or whose dialect the operator has not set. */
export function fictionalDialect({ storeId, name, capabilities }: Store): Dialect {
  const dpid = fictionalDpid(storeId);
  const sellsDownloads = capabilities.useTypes.includes('download');
  return {
    ernVersion: capabilities.ernVersion,
    sender: fictionalSender,
    recipients: [{ dpid, name }],
    isTest: true,
    releaseTypes: usualReleaseTypes,
    artistIdNamespace: dpid,
    takesOfflineStreams: true,
    hashAlgorithm: 'SHA-256',
    priceCodes: sellsDownloads
      ? { budget: 'Budget', mid: 'Mid', front: 'Front', premium: 'Premium' }
      : null,
  };
}
