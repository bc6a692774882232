/** What `bench unit` measured, as far as the documents show it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../servers/server.ts';

export const roles = ['api', 'relay', 'worker', 'engine', 'postgres', 'redis'] as const;
export type Role = (typeof roles)[number];

export const unitNames = [
  'release',
  'track',
  'get',
  'list',
  'event_alone',
  'event_paced',
  'store_delivery_alone',
  'store_delivery_of_many',
  'asset',
] as const;
export type UnitName = (typeof unitNames)[number];

export type UnitCost = {
  readonly units: number;
  readonly cpu_ms: Readonly<Record<Role | 'total', number>>;
  readonly statements: number;
  readonly statement_ms: { readonly planned: number; readonly executed: number };
  readonly transactions: number;
  readonly round_trips: { readonly total: number };
  readonly engine_invocations: number;
  readonly engine_log_bytes: number;
  readonly wal_bytes: number;
  readonly rows: Readonly<Record<'inserted' | 'updated' | 'deleted', Record<string, number>>>;
};

export type UnitCosts = {
  readonly command: string;
  readonly commit: string;
  readonly machine: string;
  readonly measured_at: string;
  readonly figures: {
    readonly units: Readonly<Record<UnitName, UnitCost>>;
    readonly tables: Readonly<
      Record<string, { readonly bytes_per_row: number; readonly index_bytes_per_row: number }>
    >;
    readonly idle_per_second: Readonly<
      Record<'with_endpoints' | 'with_stores', Pick<UnitCost, 'cpu_ms' | 'statements'>>
    >;
  };
};

/** A file of docs/proofs. */
export const readUnitCosts = (file: string): UnitCosts =>
  JSON.parse(readFileSync(join(root, 'docs', 'proofs', file), 'utf8')) as UnitCosts;
