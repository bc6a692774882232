/** Compares the directory of what stores have (`store_holdings`) with the model. */

import type { RecordMismatch } from './deliveries-judge.ts';
import { codesIn, type HoldingRow } from './deliveries-rows.ts';
import type { DeliveryScenario } from './deliveries-scenario.ts';

/** Open rows are exactly what the stores have. Closed rows end after they begin, and only of stores that had it. */
export function judgeHoldings(
  recordMismatch: RecordMismatch,
  scenario: DeliveryScenario,
  rows: readonly HoldingRow[],
): void {
  const open = rows.filter(({ held_to }) => held_to === null).map(formatHolding);
  const expected = expectedHoldings(scenario);
  const difference = [
    ...open.filter((text) => !expected.includes(text)).map((text) => `has ${text}`),
    ...expected.filter((text) => !open.includes(text)).map((text) => `lacks ${text}`),
  ];
  for (const text of difference) recordMismatch('wrong_holdings', text);
  for (const { store_id, code, held_from, held_to } of rows) {
    if (held_to !== null && held_to < held_from)
      recordMismatch('wrong_holdings', `${store_id} had ${code} until before it got it`);
    if (scenario.fakeStores.get(store_id)?.storeDelivery.wasHeld !== true)
      recordMismatch('wrong_holdings', `${store_id} never had ${code}`);
  }
}

const formatHolding = ({ store_id, code, is_release, territories }: HoldingRow): string =>
  `${store_id} ${code} ${is_release ? 'release' : 'track'} ${codesIn(territories)}`;

/** The release under its UPC, and each track that is available at the store under its ISRC. */
function expectedHoldings({ fakeStores, release }: DeliveryScenario): readonly string[] {
  const { codes, restricted } = release;
  return Array.from(fakeStores.values(), ({ storeId, storeDelivery: { held } }) => {
    if (held === null) return [];
    const ofRestricted = held.territories.filter((code) => restricted.territories.includes(code));
    return [
      `${storeId} ${codes.upc} release ${held.territories.join()}`,
      `${storeId} ${codes.isrc} track ${held.territories.join()}`,
      ...(ofRestricted.length > 0
        ? [`${storeId} ${restricted.isrc} track ${ofRestricted.join()}`]
        : []),
    ];
  }).flat();
}
