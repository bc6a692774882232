/** One store of a delivery on the wire (contract §2, catalogue §2). */

import { Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import { closed, IdOf, Nullable, OneOf, Timestamp } from '../../platform/http/schema.ts';
import {
  liveBases,
  storeDeliveryStatuses,
  takedownRequesters,
  updateStatuses,
  waitingReasons,
} from '../domain/store-delivery.ts';

export const StoreId = Type.String({ maxLength: 50, examples: ['aurora'] });

const rejectionFields = {
  rejection_code: Nullable(Type.String({ examples: ['rights_conflict'] })),
  rejection_reason: Nullable(Type.String()),
};

export const dealFields = {
  territory_codes: Type.Array(Type.String(), {
    description: 'Resolved for this store: WORLDWIDE for all of its territories, or codes.',
  }),
  territory_count: Type.Integer({ description: 'The number of resolved territories.' }),
  use_types: Type.Array(OneOf(useTypes), { description: 'How the store may offer the release.' }),
};

export const trackDeals = Type.Array(
  Type.Object(
    {
      track_id: IdOf('trk'),
      territory_codes: Type.Array(Type.String()),
      use_types: Type.Array(OneOf(useTypes)),
    },
    { ...closed, title: 'TrackDeal' },
  ),
  {
    description:
      'The tracks whose rights are narrower than those of the release. Without territories, the track is left out at this store.',
  },
);

const requestedTerritoryCodes = Type.Array(Type.String(), {
  description: 'Requested for this store by an update. When absent: as for the delivery.',
});

const storeFields = {
  store_id: StoreId,
  status: OneOf(storeDeliveryStatuses),
  waiting_for: Nullable(OneOf(waitingReasons, { description: 'Why it is not sent yet.' })),
  ...dealFields,
  revision: Type.Integer({ description: 'The revision that the store has, or is being sent.' }),
  pending_revision: Nullable(
    Type.Integer({ description: 'An update the store has not confirmed yet.' }),
  ),
  ...rejectionFields,
  update: Nullable(
    Type.Object(
      { revision: Type.Integer(), status: OneOf(updateStatuses), ...rejectionFields },
      {
        ...closed,
        title: 'StoreUpdate',
        description:
          'The last update, until the store confirms it. A rejected one changes nothing at the store.',
      },
    ),
  ),
  takedown_requested_at: Nullable(
    Timestamp(
      'When its takedown was requested, also if it waits for the store to get the release.',
    ),
  ),
  taken_down_by: Nullable(OneOf([...takedownRequesters, 'store'])),
  acknowledged_at: Nullable(Timestamp('When the store confirmed the receipt of the last message.')),
  expected_by: Nullable(Timestamp('The deadline for the store’s answer.')),
  updated_at: Timestamp('When this store last changed.'),
  live_at: Nullable(Timestamp('When it was first available at the store.')),
  live_basis: Nullable(
    OneOf(liveBases, {
      description:
        'store: it said so. inferred: it does not say so, and the release date has passed.',
    }),
  ),
  store_url: Nullable(Type.String({ description: 'Where people find it.' })),
};

export const DeliveryStoreBody = Type.Object(
  {
    ...storeFields,
    requested_territory_codes: Type.Optional(requestedTerritoryCodes),
    tracks: Type.Optional(trackDeals),
    is_truncated: Type.Optional(
      Type.Boolean({
        description:
          'The delivery is too large for requested_territory_codes and tracks of this store: GET the store.',
      }),
    ),
  },
  { ...closed, title: 'DeliveryStore' },
);

export const FullDeliveryStoreBody = Type.Object(
  {
    ...storeFields,
    territory_codes: Type.Array(Type.String(), { description: 'All resolved territories.' }),
    requested_territory_codes: Type.Array(Type.String(), {
      description: 'Requested for this store, by the delivery or by an update.',
    }),
    tracks: trackDeals,
  },
  { ...closed, title: 'FullDeliveryStore' },
);
