/** What the proof `deliveries` starts with: its stores, and a submitted release for each delivery. */

import type { Lab } from '../../../../scripts/experiments/experiment.ts';
import { scriptStores } from '../scripted-stores.ts';
import { completeDraft, type OrgClient, type TestService, trackCredits } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import {
  createScenario,
  type DeliveryScenario,
  type ProofRelease,
  type ProofStore,
} from './deliveries-scenario.ts';
import { drawPlan } from './deliveries-script.ts';
import type { Random } from './random.ts';

/** Deliveries whose deadlines do not pass share these. */
const organizations = 10;
const submitters = 8;

/**
 * Inserts stores: two of four announce availability, one confirms only the ingestion, one is silent; every third has
 * fewer territories. A sandbox scenario keeps them silent, and the proof answers in their place.
 */
export async function givenStores(
  service: TestService,
  count: number,
): Promise<ReadonlyMap<string, ProofStore>> {
  const stores = new Map(
    Array.from({ length: count }, (_, i): [string, ProofStore] => [
      `p${String(i + 1).padStart(3, '0')}`,
      {
        confirmation: (['live', 'ingest', 'live', 'none'] as const)[i % 4] ?? 'live',
        territories: i % 3 === 0 ? ['GB', 'US'] : ['DE', 'GB', 'US'],
      },
    ]),
  );
  const rows = Array.from(stores, ([store_id, { confirmation, territories }]) => ({
    store_id,
    confirmation,
    territory_codes: territories,
  }));
  await service.query(
    `insert into stores (store_id, name, territory_codes, audio_formats, use_types, pre_order, takedown, updates,
                         confirmation, ern_version, lead_time_business_days, rule_pack, status, updated_at, actor_type,
                         actor_id, max_concurrent_sends, connector)
     select store_id, 'Store ' || store_id, territory_codes, '{wav,flac}', '{ad_supported_stream}', false, true, true,
            confirmation, '4.3.2', 5, 'base', 'active', now(), 'operator', 'proof', 4, 'simulated'
       from json_to_recordset($1) as store (store_id text, confirmation text, territory_codes text[])`,
    [JSON.stringify(rows)],
  );
  return stores;
}

/** Submits a release for each delivery, before a worker runs that could review it. */
export async function givenScenarios(
  { say }: Lab,
  service: TestService,
  random: Random,
  stores: ReadonlyMap<string, ProofStore>,
  deliveries: number,
): Promise<readonly DeliveryScenario[]> {
  const plans = Array.from({ length: deliveries }, (_, i) => drawPlan(random, i, stores));
  const shared = await service.givenOrganizations(organizations);
  for (const caller of shared) await scriptStores(caller, '*=silent');
  const callerOf = async (i: number): Promise<OrgClient> => {
    if (plans[i]?.passesDeadlines !== true) return shared[i % organizations]!;
    const caller = await service.givenOrganization();
    await scriptStores(caller, '*=silent');
    return caller;
  };
  const scenarios: DeliveryScenario[] = [];
  const left = plans.entries();
  await runConcurrently(submitters, async () => {
    const { value } = left.next();
    if (value === undefined) return false;
    const [i, plan] = value;
    const caller = await callerOf(i);
    scenarios.push(createScenario(plan, caller, await givenRelease(service, caller, i), stores));
    return true;
  });
  say(`${scenarios.length} releases submitted`);
  return scenarios;
}

/** A submitted release with two tracks, of which the second is restricted to one territory. */
async function givenRelease(
  service: TestService,
  caller: OrgClient,
  index: number,
): Promise<ProofRelease> {
  const { json: release } = await caller.call('POST', '/v1/releases', completeDraft());
  await service.makeSubmittable(caller, release.id);
  const territories = ['DE'];
  const { json: second } = await caller.call('POST', '/v1/tracks', {
    release_id: release.id,
    title: 'Night Walk',
    isrc: `QZPRF26${String(index).padStart(5, '0')}`,
    audio_asset_id: await service.givenAsset(caller, 'audio'),
    territory: territories,
    ...trackCredits,
  });
  const { json: tracks } = await caller.call('GET', `/v1/tracks?release_id=${release.id}`);
  const isrcs = (tracks.data as { isrc: string }[]).map(({ isrc }) => isrc);
  const submitted = await caller.call('POST', `/v1/releases/${release.id}/submit`);
  if (submitted.status !== 200) throw new Error(`not submitted: ${submitted.text}`);
  const toStore = (isrc: string) => isrc.replaceAll('-', '');
  return {
    id: release.id,
    codes: {
      upc: release.upc,
      isrc: toStore(isrcs.find((isrc) => isrc !== second.isrc) ?? ''),
    },
    restricted: { isrc: toStore(second.isrc), territories },
    territories: ['WORLD'],
    revision: 0,
  };
}
