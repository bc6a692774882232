/** Deliveries on the wire (spec §2.2, contract §2). */

import { type Static, Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
import { refuseTerritoryForm } from '../../network/face.ts';
import { withRule } from '../../platform/http/body-rules.ts';
import { actorDescriptions } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  MultilineText,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Pairs,
  Reference,
  referenceMax,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { deliveryStatuses } from '../domain/aggregate.ts';
import { refuseRepeatedStores } from '../domain/chosen-stores.ts';
import { storesPerDeliveryMax } from '../domain/delivery.ts';
import {
  liveBases,
  storeDeliveryStatuses,
  takedownRequesters,
  waitingReasons,
} from '../domain/store-delivery.ts';
import { timelineEntryTypes } from '../domain/timeline.ts';
import { DeliveryStoreBody, StoreId } from './delivery-store-schemas.ts';

const reasonMax = 1_000;

export const storeList = (description: string) =>
  Type.Array(StoreId, {
    minItems: 1,
    maxItems: storesPerDeliveryMax,
    ...withRule(refuseRepeatedStores),
    description,
  });

export const territoryCodes = Type.Array(Type.String({ maxLength: 9 }), {
  minItems: 1,
  maxItems: territoryListMax,
  ...withRule(refuseTerritoryForm),
  description:
    'ISO 3166-1 alpha-2 codes, or `WORLDWIDE` alone for all supported territories of the chosen stores.',
  examples: [['WORLDWIDE']],
});

const chosenStores = storeList('The `store_id` of each store. `GET /v1/stores` lists them.');

/** The fields that a delivery, a dry run and a job item have in common. */
export const deliveryRequestFields = {
  release_id: Reference('rel', 'The id of a submitted release.'),
  stores: chosenStores,
  territory_codes: territoryCodes,
};

const readOnlyFields = ['id', 'revision', 'status', 'created_at', 'updated_at', 'completed_at'];

export const CreateDeliveryBody = Type.Object(
  {
    ...deliveryRequestFields,
    reference: Type.Optional(
      Nullable(
        Text(referenceMax, {
          description: 'Your own id of the delivery. It must be unique among your deliveries.',
        }),
      ),
    ),
    metadata: Type.Optional(
      Nullable(
        Pairs(
          'Up to 20 key-value pairs of your own. Keys have 1 to 40 characters, values at most 500.',
        ),
      ),
    ),
  },
  { ...closed, title: 'CreateDelivery', 'x-read-only': readOnlyFields },
);

const optionalStores = Type.Optional(
  storeList(
    'The `store_id` of the only stores to act on. If you omit it, every store that the action applies to.',
  ),
);

export const ResubmitBody = Type.Object(
  {
    stores: optionalStores,
    force: Type.Optional(
      Type.Boolean({
        description: '`true`: resubmit even if the release has not changed since the rejection.',
      }),
    ),
  },
  { ...closed, title: 'ResubmitDelivery' },
);

export const takedownReason = Type.Optional(
  MultilineText(reasonMax, {
    description: 'Why you take the release down. It is kept in the timeline.',
  }),
);

export const TakedownBody = Type.Object(
  { stores: optionalStores, reason: takedownReason },
  { ...closed, title: 'TakeDownDelivery' },
);

export const UpdateBody = Type.Object(
  {
    stores: optionalStores,
    territory_codes: Type.Optional({
      ...territoryCodes,
      description:
        'Other territories for these stores, from now on. If you omit it, the territories that were requested before.',
    }),
  },
  { ...closed, title: 'UpdateDelivery' },
);

const deliveryFields = {
  id: IdOf('dlv'),
  reference: Nullable(
    Type.String({ description: 'Your own id of the delivery. `null`: you sent none.' }),
  ),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'Your own key-value pairs.' }),
  release_id: IdOf('rel'),
  revision: Type.Integer({ description: 'The revision of the release that was last sent.' }),
  status: OneOf(deliveryStatuses, {
    description: 'The aggregate status of all stores of the delivery.',
  }),
  territory_codes: Type.Array(Type.String(), {
    description: 'The territories as you requested them.',
  }),
  stores: Type.Array(DeliveryStoreBody, {
    description: 'The stores of the delivery, each with its own state.',
  }),
  created_at: Timestamp('When the delivery was created.'),
  updated_at: Timestamp('When the delivery or one of its stores last changed.'),
  completed_at: Nullable(
    Timestamp(
      'When the delivery last became `delivered`, `rejected` or `action_required`. `null`: never.',
    ),
  ),
};

export const DeliveryBody = Type.Object(deliveryFields, { ...closed, title: 'Delivery' });

export const skippedStores = Type.Array(
  Type.Object(
    {
      store_id: StoreId,
      reason: Type.String({
        description: 'Why the request does not apply to the store.',
        examples: ['aurora is in_progress'],
      }),
    },
    { ...closed, title: 'SkippedStore' },
  ),
  { description: 'The stores that the request does not apply to, each with the reason.' },
);

export const ChangedDeliveryBody = Type.Object(
  {
    ...deliveryFields,
    skipped: skippedStores,
  },
  { ...closed, title: 'ChangedDelivery' },
);

export const DeliveryPage = PageOf('DeliveryPage', DeliveryBody);

export const DeliveryPath = Type.Object({ delivery_id: IdOf('dlv') });

export const DeliveryStorePath = Type.Object({
  delivery_id: IdOf('dlv'),
  store_id: Type.String({
    description: 'The `store_id` of a store. `GET /v1/stores` lists the stores.',
    examples: ['aurora'],
  }),
});

export const DeliveryListQuery = Type.Object(
  {
    status: Type.Optional(
      OneOf(deliveryStatuses, { description: 'Only deliveries with this status.' }),
    ),
    release_id: Type.Optional(IdOf('rel')),
    store_id: Type.Optional(StoreId),
    ...pageQuery,
  },
  closed,
);

export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

export const TimelineQuery = Type.Object(
  { store_id: Type.Optional(StoreId), ...pageQuery },
  closed,
);

const TimelineEntryBody = Type.Object(
  {
    type: OneOf(timelineEntryTypes, {
      description:
        'The kind of entry: a request (created, resubmission, update or takedown), or a step of a store.',
    }),
    at: Timestamp('When it happened.'),
    store_id: Nullable(StoreId),
    revision: Type.Integer({ description: 'The revision of the release.' }),
    previous_status: Type.Optional(
      OneOf(storeDeliveryStatuses, { description: 'The status of the store before.' }),
    ),
    status: Type.Optional(
      OneOf(storeDeliveryStatuses, { description: 'The status of the store after.' }),
    ),
    message_id: Type.Optional(IdOf('msg')),
    rejection_code: Type.Optional(Type.String({ description: 'The code of the rejection.' })),
    rejection_reason: Type.Optional(Type.String({ description: 'The reason of the rejection.' })),
    waiting_for: Type.Optional(OneOf(waitingReasons, { description: 'What the store waits for.' })),
    live_basis: Type.Optional(
      OneOf(liveBases, { description: 'How we know that the release is live.' }),
    ),
    taken_down_by: Type.Optional(
      OneOf([...takedownRequesters, 'store'], { description: 'Who took the release down.' }),
    ),
    stores: Type.Optional(Type.Array(StoreId, { description: 'The stores of the request.' })),
    actor: Type.Optional(
      Type.Object(
        {
          type: Type.String({ description: actorDescriptions.type }),
          id: Type.String({ description: actorDescriptions.id }),
        },
        { ...closed, description: 'The credential or operator that made the request.' },
      ),
    ),
    reason: Type.Optional(
      Type.String({ description: 'The reason of a takedown, as you sent it.' }),
    ),
    territory_codes: Type.Optional(
      Type.Array(Type.String(), { description: 'The territories of the request.' }),
    ),
    skipped: Type.Optional(skippedStores),
    changed_since: Type.Optional(
      Type.Integer({ description: 'The revision that these stores were sent before.' }),
    ),
    changes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({
              description: 'A JSON pointer to the changed value.',
              examples: ['/title'],
            }),
            before: Type.Unknown({ description: 'The value before.' }),
            after: Type.Unknown({ description: 'The value after.' }),
          },
          { ...closed, title: 'RevisionFieldChange' },
        ),
        { description: 'The differences between that revision and the revision that is sent now.' },
      ),
    ),
  },
  { ...closed, title: 'DeliveryTimelineEntry' },
);

export const TimelinePage = PageOf('DeliveryTimelinePage', TimelineEntryBody);
