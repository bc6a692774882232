import { territoryCodes } from '../../../apps/service/src/kernel/territory.ts';
import { fictionalStores } from '../../../apps/service/src/network/domain/fictional-stores.ts';
import type { Store } from '../../../apps/service/src/network/domain/store.ts';
import { code, codes, table } from './table.ts';

const listedMax = 12;

function supported({ capabilities: { preOrder, update, takedown } }: Store): string {
  const all = { 'pre-orders': preOrder, updates: update, takedowns: takedown };
  return Object.entries(all)
    .flatMap(([name, isSupported]) => (isSupported ? [name] : []))
    .join(', ');
}

const territories = ({ territoryCodes: sold }: Store): string =>
  sold.length <= listedMax ? sold.join(', ') : `${sold.length} of ${territoryCodes.length}`;

/** The fictional stores of the sandbox, with what a partner's code must handle differently for each. */
export const storeTable = (): string =>
  table(
    [
      'Store',
      'Name',
      'Rule pack',
      'Lead time',
      'Confirms',
      'Supports',
      'Territories',
      'Audio',
      'Use types',
    ],
    fictionalStores.map((store) => {
      const { audioFormats, useTypes, leadTimeBusinessDays, confirmation } = store.capabilities;
      return [
        code(store.storeId),
        store.name,
        code(store.rulePack),
        `${leadTimeBusinessDays} business ${leadTimeBusinessDays === 1 ? 'day' : 'days'}`,
        code(confirmation),
        supported(store),
        territories(store),
        codes(audioFormats),
        codes(useTypes),
      ];
    }),
  );
