/** Measures the cost of a store delivery with more stores per delivery, and with more deliveries in the tables. */

import { toUuid, type Id } from '../apps/service/src/kernel/ids.ts';
import { median } from './blocks.ts';
import type { DeliveryFixture } from './delivery-fixture.ts';

/** Milliseconds per store delivery, from the first request until the last delivery is delivered. */
export async function costPerStore(
  fixture: DeliveryFixture,
  deliveries: number,
  storesEach: number,
): Promise<number> {
  const releases = await fixture.givenReleases(deliveries);
  const begun = performance.now();
  const ids = await fixture.start(releases, storesEach);
  await fixture.answerAll(await fixture.messagesOf(ids), ids);
  return (performance.now() - begun) / (deliveries * storesEach);
}

/** The cost of each case divided by the cost of the first case, as the median over all rounds. */
export async function compareCosts(
  rounds: number,
  cases: readonly { readonly name: string; readonly cost: () => Promise<number> }[],
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const ratios: Record<string, number[]> = {};
  for (const { cost } of cases) await cost();
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? cases : cases.toReversed();
    const costs = new Map<string, number>();
    for (const { name, cost } of order) costs.set(name, await cost());
    const [first] = cases;
    const base = costs.get(first?.name ?? '') ?? Number.NaN;
    for (const [name, value] of costs) (ratios[name] ??= []).push(value / base);
    say(
      `growth ${round + 1}: ${[...costs].map(([name, ms]) => `${name} ${ms.toFixed(2)} ms`).join(', ')}`,
    );
  }
  return Object.fromEntries(
    Object.entries(ratios).map(([name, values]) => [name, Math.round(median(values) * 100) / 100]),
  );
}

/** Inserts `deliveries` old, delivered deliveries of the same organization, each with two stores. */
export async function fillTables(
  { service, partner }: DeliveryFixture,
  deliveries: number,
): Promise<void> {
  const columns: { name: string }[] = await service.query(
    `select attname as name from pg_attribute
      where attrelid = 'releases'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'label')`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  const org = toUuid(partner.orgId as Id<'org'>);
  await service.query('create table filling (release_id uuid, delivery_id uuid, label text)');
  await service.query(
    `insert into filling select uuidv7(interval '-30 days'), uuidv7(interval '-20 days'), 'Filling ' || n
       from generate_series(1, $1::int) n`,
    [deliveries],
  );
  await service.query(
    `insert into releases (id, label, ${names}) select f.release_id, f.label, ${names}
       from filling f, (select ${names} from releases where org_id = $1 limit 1) template`,
    [org],
  );
  await service.query(
    `insert into deliveries (org_id, id, metadata, release_id, revision, status, territory_codes, pending,
                             in_progress, delivered, rejected, action_required, takedown_requested, taken_down,
                             created_at, updated_at, actor_type, actor_id)
     select $1, delivery_id, '{}', release_id, 1, 'delivered', '{WORLDWIDE}', 0, 0, 2, 0, 0, 0, 0,
            now() - interval '20 days', now(), 'operator', 'bench' from filling`,
    [org],
  );
  await service.query(
    `insert into delivery_stores (org_id, delivery_id, store_id, release_id, created_at, status, territories,
                                  is_worldwide, use_types, revision, live_at, live_basis, message_id, message_kind,
                                  message_state, updated_at)
     select $1, delivery_id, 'bench' || n, release_id, now() - interval '20 days', 'delivered',
            decode(repeat('ff', 32), 'hex'), true, 15, 1, now(), 'store', uuidv7(), 'deliver', 'sent', now()
       from filling, generate_series(0, 1) n`,
    [org],
  );
  await service.query('drop table filling');
  await service.query('vacuum analyze');
}
