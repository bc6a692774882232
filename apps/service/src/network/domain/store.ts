/** A store of the network (contract §2): its territories, capabilities and lead time. */

import type { TerritoryCode } from '../../kernel/territory.ts';
import type { UseType } from '../../kernel/use-type.ts';

export const storeStatuses = ['active', 'paused'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

export const audioFormats = ['wav', 'flac', 'alac'] as const;

/** DDEX ERN. Large stores have stopped taking versions before 4.3. */
export const ernVersions = ['4.3', '4.3.2'] as const;

/**
 * What a store says about a release it was sent: that it is available (`live`), only that it has ingested it
 * (`ingest`), or nothing unless there is an error (`none`).
 */
export const confirmations = ['live', 'ingest', 'none'] as const;
export type Confirmation = (typeof confirmations)[number];

/** How a takedown is written: with ended deals, or without a deal. */
export const takedownMethods = ['end_deal', 'omit_deal'] as const;

/** The store-specific preflight rules that apply to a release. */
export const rulePacks = ['a', 'b', 'base'] as const;
type RulePack = (typeof rulePacks)[number];

/** How a store is sent messages: by the sandbox itself, or as batches of DDEX messages. */
export type ConnectorName = 'simulated' | 'ddex';

export type Capabilities = {
  readonly audioFormats: readonly (typeof audioFormats)[number][];
  readonly useTypes: readonly UseType[];
  readonly preOrder: boolean;
  readonly takedown: boolean;
  readonly takedownMethod: (typeof takedownMethods)[number];
  readonly update: boolean;
  readonly confirmation: Confirmation;
  readonly ernVersion: (typeof ernVersions)[number];
  readonly leadTimeBusinessDays: number;
};

export type Store = {
  /** A slug that never changes: `aurora`. */
  readonly storeId: string;
  readonly name: string;
  readonly territoryCodes: readonly TerritoryCode[];
  readonly capabilities: Capabilities;
  readonly rulePack: RulePack;
  /** The store's own names of our genres; for those that it does not name, those of its rule pack. */
  readonly genres: Readonly<Record<string, string>>;
  readonly maxConcurrentSends: number;
  /** The connector that sends to it. */
  readonly connector: ConnectorName;
  readonly status: StoreStatus;
};

export type StoreSettings = Omit<Store, 'territoryCodes'>;

const slug = '^[a-z][a-z0-9_-]{1,49}$';

export const isSlug = (text: string): boolean => new RegExp(slug).test(text);
