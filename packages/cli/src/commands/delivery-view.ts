/** A delivery for people: a line for each store, and what to do next. */

import type { Delivery } from '@tonearm/sdk';
import type { Output } from '../output/output.ts';
import { safeText } from '../output/safe-text.ts';
import { progressBar } from '../output/sparkline.ts';
import { paintStatus, statusText } from '../output/status.ts';
import { type Cell, tableLines } from '../output/table.ts';
import { wrap } from '../output/text-width.ts';
import { timeText } from '../output/units.ts';

type DeliveryStore = Delivery['stores'][number];

/** The most important that there is to say about a store. */
function detailOf(store: DeliveryStore): string {
  if (store.rejection_code !== null) return store.rejection_code;
  if (store.waiting_for !== null) return `waits for ${store.waiting_for.replaceAll('_', ' ')}`;
  if (store.status === 'taken_down' && store.taken_down_by !== null)
    return `by ${store.taken_down_by}`;
  if (store.update !== null)
    return `update to revision ${store.update.revision} ${store.update.status}`;
  if (store.live_at !== null) return `live since ${timeText(store.live_at)}`;
  return store.expected_by === null ? '' : `expected by ${timeText(store.expected_by)}`;
}

const columns = [
  { title: 'Store', shrinksTo: 8 },
  { title: 'Status' },
  { title: 'Territories', align: 'right', leaveOut: 1 },
  { title: '', shrinksTo: 12 },
] as const;

export function storeLines(
  { palette, columns: columnsMax }: Output,
  { stores }: Delivery,
): string[] {
  const row = (store: DeliveryStore): Cell[] => [
    store.store_id,
    { text: statusText(store.status), paint: (text) => paintStatus(palette, store.status, text) },
    String(store.territory_count),
    detailOf(store),
  ];
  return tableLines(columns, stores.map(row), { columnsMax, palette });
}

const settled = (store: DeliveryStore): boolean =>
  store.status !== 'pending' && store.status !== 'in_progress';

/** `━━━━━━━━╌╌╌╌  2 of 3 stores have answered` */
export function progressLine({ stores }: Delivery): string {
  const done = stores.filter(settled).length;
  const verb = done === 1 ? 'has' : 'have';
  return `${progressBar(done / stores.length, 24)}  ${done} of ${stores.length} stores ${verb} answered`;
}

export const headingOf = ({ id, release_id: releaseId, revision }: Delivery): string =>
  `${id}  (${releaseId}, revision ${revision})`;

/** Why stores refused it, in full: a table would cut it. */
function printReasons(output: Output, { stores }: Delivery): void {
  for (const store of stores) {
    if (store.rejection_code === null) continue;
    const reason = store.rejection_reason ?? 'The store gave no reason.';
    output.line();
    output.line(
      output.palette.strong(`${safeText(store.store_id)}: ${safeText(store.rejection_code)}`),
    );
    for (const line of wrap(safeText(reason), output.columns - 2)) output.line(`  ${line}`);
  }
}

function nextSteps({ id, release_id: releaseId, status }: Delivery): string[] {
  if (status === 'in_progress') return [`tonearm deliveries watch ${id}`];
  if (status === 'delivered') return ['tonearm royalties breakdown --by store,month'];
  if (status === 'taken_down') return [];
  return [`tonearm releases update ${releaseId} --field …`, `tonearm deliveries resubmit ${id}`];
}

export function printDelivery(output: Output, delivery: Delivery): void {
  output.result(delivery, () => {
    output.line(output.palette.strong(headingOf(delivery)));
    for (const line of storeLines(output, delivery)) output.line(line);
    printReasons(output, delivery);
    output.line();
    output.line(`The delivery is ${statusText(delivery.status)}.`);
    output.next(...nextSteps(delivery));
  });
}
