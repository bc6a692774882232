/** The genres of the API, and what each store makes of them (catalogue §4). */

import { Type } from 'typebox';
import { allStores, genreAtStore } from '../../network/face.ts';
import type { Db } from '../../platform/db/database.ts';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { publicRead } from '../../platform/http/public.ts';
import { closed } from '../../platform/http/schema.ts';
import { genres, subgenresByGenre } from '../domain/preflight/genres.ts';
import { catalogReferenceExamples } from './reference-examples.ts';

const GenreList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          genre: Type.String({
            description: 'The genre as releases and tracks have it.',
            examples: ['Hip-Hop'],
          }),
          subgenres: Type.Array(Type.String({ examples: ['Trap'] }), {
            description: 'The subgenres that you can send with this genre.',
          }),
          stores: Type.Array(
            Type.Object(
              {
                store_id: Type.String({
                  description: 'The `store_id` of a store.',
                  examples: ['aurora'],
                }),
                genre: Type.String({
                  description:
                    'The name of the genre at the store, or its general genre if it does not have this one.',
                  examples: ['Hip-Hop/Rap'],
                }),
              },
              { ...closed, title: 'StoreGenre' },
            ),
            { description: 'The name of the genre at every store.' },
          ),
        },
        { ...closed, title: 'Genre' },
      ),
      { description: 'Every genre that you can send.' },
    ),
  },
  { ...closed, title: 'GenreList' },
);

/** `db` reads the stores, which belong to no tenant. */
export function genreRoutes(server: Server, db: Db): void {
  publicRead(
    server,
    {
      id: 'listGenres',
      tag: 'Reference',
      summary: 'List genres',
      description:
        'Returns the genres that you can send, with their subgenres and the name of each at every store.',
      method: 'GET',
      path: '/v1/genres',
      scope: 'public',
      answers: { 200: GenreList },
      examples: catalogReferenceExamples.listGenres,
      problems: [],
    },
    async () => {
      const stores = await allStores(db);
      return ok({
        data: genres.map((genre) => ({
          genre,
          subgenres: subgenresByGenre[genre],
          stores: stores.map((store) => ({
            store_id: store.storeId,
            genre: genreAtStore(store, genre),
          })),
        })),
      });
    },
  );
}
