/** The gauges about stores that speak DDEX: whether they are reached, what they sent that is unusable, and what waits. */

import { listWaitingBatches } from '../delivery/store/batches.ts';
import { listFailingStores } from '../delivery/store/store-polls.ts';
import { countUnusable } from '../delivery/store/unusable-acknowledgements.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { observe } from '../platform/telemetry/instruments.ts';

type StoreMetricsDeps = { readonly db: Database; readonly clock: Clock };

/** Stores without trouble have no reading. A network has hundreds of stores at the most. */
export function observeStores({ db: { withoutTenant }, clock }: StoreMetricsDeps): void {
  const ageOf = (
    store: string,
    since: Date | null,
    labels: Readonly<Record<string, string>> = {},
  ) =>
    since === null
      ? []
      : [
          {
            value: Math.max(0, (clock.now().getTime() - since.getTime()) / 1_000),
            attributes: { store, ...labels },
          },
        ];
  observe(
    'tonearm_store_failing_seconds',
    'How long a store could not be reached for its acknowledgements, by the kind of the last failure.',
    async () =>
      (await listFailingStores(withoutTenant)).flatMap(({ store_id, failing_since, failure }) =>
        ageOf(store_id, failing_since, { failure }),
      ),
  );
  observe(
    'tonearm_store_files_unusable',
    'Acknowledgements of a store that could not be used and were not dismissed, counted up to 1,000.',
    async () =>
      (await countUnusable(withoutTenant)).map(({ store_id, count }) => ({
        value: count,
        attributes: { store: store_id },
      })),
  );
  observe(
    'tonearm_store_batch_open_seconds',
    'How long the oldest batch for a store has been on its way.',
    async () =>
      (await listWaitingBatches(withoutTenant)).flatMap(({ store_id, open_since }) =>
        ageOf(store_id, open_since),
      ),
  );
  observe(
    'tonearm_store_answer_overdue_seconds',
    'How long a store has been late with its acknowledgement of a batch of the last 14 days.',
    async () =>
      (await listWaitingBatches(withoutTenant)).flatMap(({ store_id, overdue_since }) =>
        ageOf(store_id, overdue_since),
      ),
  );
}
