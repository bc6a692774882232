/** One store of a delivery on the wire (contract §2, catalogue §2). */

import { Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import { described } from '../../platform/http/named-enums.ts';
import { closed, IdOf, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import {
  liveBases,
  storeDeliveryStatuses,
  takedownRequesters,
  updateStatuses,
  waitingReasons,
} from '../domain/store-delivery.ts';

export const StoreId = Type.String({
  maxLength: 50,
  description: 'The `store_id` of a store.',
  examples: ['aurora'],
});

const rejectionFields = {
  rejection_code: Nullable(
    Type.String({
      description: 'The code of the rejection. `null`: the store did not reject or flag it.',
      examples: ['rights_conflict'],
    }),
  ),
  rejection_reason: Nullable(
    Type.String({
      description: 'The reason of the rejection, in the words of the store. `null`: there is none.',
    }),
  ),
};

export const dealFields = {
  territory_codes: Type.Array(Type.String(), {
    description: 'The territories at this store: `WORLDWIDE` for all of its territories, or codes.',
  }),
  territory_count: Type.Integer({ description: 'The number of territories at this store.' }),
  use_types: Type.Array(OneOf(useTypes), { description: 'How the store may offer the release.' }),
};

export const trackDeals = Type.Array(
  Type.Object(
    {
      track_id: IdOf('trk'),
      territory_codes: Type.Array(Type.String(), {
        description: 'The territories of the track at this store.',
      }),
      use_types: Type.Array(OneOf(useTypes), { description: 'How the store may offer the track.' }),
    },
    { ...closed, title: 'TrackDeal' },
  ),
  {
    description:
      'The tracks whose rights are narrower than those of the release. A track without territories is left out at this store.',
  },
);

const requestedTerritoryCodes = Type.Array(Type.String(), {
  description:
    'The territories that an update requested for this store. If it is absent, those of the delivery.',
});

const storeFields = {
  store_id: StoreId,
  status: OneOf(storeDeliveryStatuses, { description: 'The status of the release at this store.' }),
  waiting_for: Nullable(
    OneOf(waitingReasons, {
      description: 'What the store delivery waits for before it is sent. `null`: it does not wait.',
    }),
  ),
  ...dealFields,
  revision: Type.Integer({
    description: 'The revision that the store has, or that is being sent to it.',
  }),
  pending_revision: Nullable(
    Type.Integer({
      description:
        'The revision of an update that the store has not confirmed yet. `null`: there is none.',
    }),
  ),
  ...rejectionFields,
  update: Nullable(
    described(
      Type.Object(
        {
          revision: Type.Integer({ description: 'The revision that the update sends.' }),
          status: OneOf(updateStatuses, { description: 'The status of the update.' }),
          ...rejectionFields,
        },
        {
          ...closed,
          title: 'DeliveryStoreUpdate',
          description:
            'The last update, until the store confirms it. A rejected update changes nothing at the store.',
        },
      ),
      'The last update, until the store confirms it. `null`: there is none.',
    ),
  ),
  takedown_requested_at: Nullable(
    Timestamp(
      'When the takedown was requested, also while it waits for the store to confirm the release.',
    ),
  ),
  taken_down_by: Nullable(
    OneOf([...takedownRequesters, 'store'], {
      description: 'Who took the release down. `null`: it is not taken down.',
    }),
  ),
  acknowledged_at: Nullable(
    Timestamp('When the store confirmed that it received the last message.'),
  ),
  expected_by: Nullable(
    Timestamp('When the answer of the store is due. After this time it is overdue.'),
  ),
  updated_at: Timestamp('When this store last changed.'),
  live_at: Nullable(Timestamp('When the release was first available at the store.')),
  live_basis: Nullable(
    OneOf(liveBases, {
      description:
        '`store`: the store announced it. `inferred`: the store does not announce it, and the release date has passed.',
    }),
  ),
  store_url: Nullable(Type.String({ description: 'The page of the release at the store.' })),
};

export const DeliveryStoreBody = Type.Object(
  {
    ...storeFields,
    requested_territory_codes: Type.Optional(requestedTerritoryCodes),
    tracks: Type.Optional(trackDeals),
    is_truncated: Type.Optional(
      Type.Boolean({
        description:
          '`true`: the delivery is too large to list `requested_territory_codes` and `tracks` of this store. Read the store of the delivery to get them.',
      }),
    ),
  },
  { ...closed, title: 'DeliveryStore' },
);

export const FullDeliveryStoreBody = Type.Object(
  {
    ...storeFields,
    territory_codes: Type.Array(Type.String(), { description: 'All territories at this store.' }),
    requested_territory_codes: Type.Array(Type.String(), {
      description: 'The territories that the delivery or an update requested for this store.',
    }),
    tracks: trackDeals,
  },
  { ...closed, title: 'DeliveryStoreWithAllTerritories' },
);
