/** Organizations, what a store has of them, and the rules of a run, for the rows of `ingest-report.ts`. */

import { packTerritories } from '../apps/service/src/kernel/territory-set.ts';
import { territoryCodes } from '../apps/service/src/kernel/territory.ts';
import type { TestService } from '../apps/service/test/test-service.ts';

export const storeId = 'aurora';

export type WorldSize = { readonly organizations: number; readonly tracks: number };

/** Half of the organizations have statements in the currency of the report. */
export async function fillWorld(service: TestService, size: WorldSize): Promise<string> {
  const { organizations, tracks } = size;
  const { query, admin } = service;
  await query(
    `insert into organizations (org_id, name, tier, default_label, licensed_territories, statement_currency, created_at,
                                updated_at, actor_type, actor_id)
     select md5('org' || n)::uuid, 'Partner ' || n, 'growth', 'Label', '{WORLD}',
            case n % 2 when 0 then 'EUR' else 'USD' end, now(), now(), 'operator', 'bench'
       from generate_series(0, $1::int - 1) n`,
    [organizations],
  );
  await query(
    `insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
     select $1, code, md5('org' || case r % 2 when 0 then 0 else 1 + (r / 2) % ($3::int - 1) end)::uuid,
            md5('dlv' || r)::uuid, md5('rel' || r)::uuid, track_id, $4, '2020-01-01'
       from generate_series(0, $2::int / 10) r,
            lateral (select (100000000000 + r)::text as code, null::uuid as track_id
                     union all
                     select 'QZBEN' || lpad(t::text, 7, '0'), md5('trk' || t)::uuid
                       from generate_series(r * 10, r * 10 + 9) t)`,
    [storeId, tracks, organizations, Buffer.from(packTerritories(territoryCodes))],
  );
  await query('vacuum analyze store_holdings, organizations');
  await admin(...'fee-rules set --org platform --basis-points 1500 --from 2020-01'.split(' '));
  await admin(
    ...'withholding-rules set --source US --income royalty --basis-points 3000 --from 2020-01'.split(
      ' ',
    ),
  );
  const set = await admin(
    ...'fx-rate-sets create --name bench --as-of 2026-07-31 --rate EUR/USD=1.0834'.split(' '),
  );
  return set['id'] ?? '';
}
