import { storedTypes, pingType } from '../../../apps/service/src/app/event-catalogue.ts';
import { code, prose, table } from './table.ts';

export const eventTypeTable = (): string =>
  table(
    ['Type', 'Sent when'],
    [pingType, ...storedTypes].map(({ type, description }) => [code(type), prose(description)]),
  );
