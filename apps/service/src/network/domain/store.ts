/** A store of the network (contract §2): its territories, capabilities and lead time. */

import type { TerritoryCode } from '../../kernel/territory.ts';

export const storeStatuses = ['active', 'paused'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

export const audioFormats = ['wav', 'flac', 'alac'] as const;

export const useTypes = [
  'stream',
  'download',
  'subscription',
  'ringtone',
  'user_generated',
] as const;

/** The store-specific preflight rules that apply to a release. */
type RulePack = 'a' | 'b' | 'base';

export type ConnectorName = 'simulated';

export type Capabilities = {
  readonly audioFormats: readonly (typeof audioFormats)[number][];
  readonly useTypes: readonly (typeof useTypes)[number][];
  readonly preOrder: boolean;
  readonly takedown: boolean;
  readonly update: boolean;
  readonly ernVersion: string;
  readonly leadTimeBusinessDays: number;
};

export type Store = {
  /** A slug that never changes: `aurora`. */
  readonly storeId: string;
  readonly name: string;
  readonly territoryCodes: readonly TerritoryCode[];
  readonly capabilities: Capabilities;
  readonly rulePack: RulePack;
  readonly maxConcurrentSends: number;
  /** The connector that sends to it. */
  readonly connector: ConnectorName;
  readonly status: StoreStatus;
};

export const slug = '^[a-z][a-z0-9_-]{1,49}$';

export const isSlug = (text: string): boolean => new RegExp(slug).test(text);
