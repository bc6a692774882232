import { randomUUID } from 'node:crypto';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { packTerritories } from '../src/kernel/territory-set.ts';
import { territoryCodes } from '../src/kernel/territory.ts';
import type { OrgClient, TestService } from './test-service.ts';

/** The store has had these recordings of the organization for years, everywhere, on one release. */
export const givenHoldings = (
  service: Pick<TestService, 'query'>,
  storeId: string,
  { orgId }: Pick<OrgClient, 'orgId'>,
  ...isrcs: readonly string[]
): Promise<unknown> =>
  service.query(
    `insert into store_holdings (store_id, code, org_id, delivery_id, release_id, track_id, territories, held_from)
     select $1, code, $2, gen_random_uuid(), $3, md5(code)::uuid, $4, '2020-01-01' from unnest($5::text[]) code`,
    [
      storeId,
      toUuid(orgId as Id<'org'>),
      randomUUID(),
      Buffer.from(packTerritories(territoryCodes)),
      isrcs,
    ],
  );
