import {
  genres,
  subgenresByGenre,
} from '../../../apps/service/src/catalog/domain/preflight/genres.ts';
import { genreAtStore } from '../../../apps/service/src/network/domain/store-genres.ts';
import { code, table } from './table.ts';

const packs = ['a', 'b', 'base'] as const;

/** Each genre with its subgenres, and its name at the stores of each rule pack. */
export const genreTable = (): string =>
  table(
    ['Genre', 'Subgenres', 'At stores of pack A', 'Of pack B', 'At other stores'],
    genres.map((genre) => [
      code(genre),
      (subgenresByGenre[genre] ?? []).join(', '),
      ...packs.map((rulePack) => genreAtStore({ genres: {}, rulePack }, genre)),
    ]),
  );
