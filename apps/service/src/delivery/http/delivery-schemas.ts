/** Deliveries on the wire (spec §2.2, contract §2). */

import { type Static, Type } from 'typebox';
import { territoryListMax } from '../../kernel/territory.ts';
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
  Type.Array(StoreId, { minItems: 1, maxItems: storesPerDeliveryMax, description });

export const territoryCodes = Type.Array(Type.String({ maxLength: 9 }), {
  minItems: 1,
  maxItems: territoryListMax,
  description:
    'ISO 3166-1 alpha-2 codes, or WORLDWIDE alone: all supported territories of the chosen stores.',
  examples: [['WORLDWIDE']],
});

const chosenStores = storeList('store_id values, as GET /v1/stores lists them.');

/** The fields that a delivery, a dry run and a job item have in common. */
export const deliveryRequestFields = {
  release_id: Reference('rel', 'A submitted release.'),
  stores: chosenStores,
  territory_codes: territoryCodes,
};

const readOnlyFields = ['id', 'revision', 'status', 'created_at', 'updated_at', 'completed_at'];

export const CreateDeliveryBody = Type.Object(
  {
    ...deliveryRequestFields,
    reference: Type.Optional(
      Nullable(Text(referenceMax, { description: 'Your own id, unique among deliveries.' })),
    ),
    metadata: Type.Optional(Nullable(Pairs('Your own key-value pairs.'))),
  },
  { ...closed, title: 'CreateDelivery', 'x-read-only': readOnlyFields },
);

const optionalStores = Type.Optional(
  storeList('Only these stores. When omitted: every store that the action applies to.'),
);

export const ResubmitBody = Type.Object(
  {
    stores: optionalStores,
    force: Type.Optional(
      Type.Boolean({ description: 'Resubmit even if the release has not changed since.' }),
    ),
  },
  { ...closed, title: 'ResubmitDelivery' },
);

export const takedownReason = Type.Optional(
  MultilineText(reasonMax, { description: 'Kept in the timeline.' }),
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
        'Other territories for these stores, from now on. When omitted: those requested before.',
    }),
  },
  { ...closed, title: 'UpdateDelivery' },
);

const deliveryFields = {
  id: IdOf('dlv'),
  reference: Nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  release_id: IdOf('rel'),
  revision: Type.Integer(),
  status: OneOf(deliveryStatuses, { description: 'Aggregate status across all stores.' }),
  territory_codes: Type.Array(Type.String(), { description: 'As you requested them.' }),
  stores: Type.Array(DeliveryStoreBody),
  created_at: Timestamp('When it was created.'),
  updated_at: Timestamp('When anything of it last changed.'),
  completed_at: Nullable(Timestamp('When it last became delivered, rejected or action_required.')),
};

export const DeliveryBody = Type.Object(deliveryFields, { ...closed, title: 'Delivery' });

export const skippedStores = Type.Array(
  Type.Object(
    { store_id: StoreId, reason: Type.String({ examples: ['aurora is in_progress'] }) },
    { ...closed, title: 'SkippedStore' },
  ),
);

export const ChangedDeliveryBody = Type.Object(
  {
    ...deliveryFields,
    skipped: { ...skippedStores, description: 'Stores that the request does not apply to.' },
  },
  { ...closed, title: 'ChangedDelivery' },
);

export const DeliveryPage = PageOf('DeliveryPage', DeliveryBody);

export const DeliveryPath = Type.Object({ delivery_id: IdOf('dlv') });

export const DeliveryStorePath = Type.Object({ delivery_id: IdOf('dlv'), store_id: StoreId });

export const DeliveryListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(deliveryStatuses)),
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
      description: 'A request (created, resubmission, update, takedown), or a step of a store.',
    }),
    at: Timestamp('When it happened.'),
    store_id: Nullable(StoreId),
    revision: Type.Integer(),
    previous_status: Type.Optional(OneOf(storeDeliveryStatuses)),
    status: Type.Optional(OneOf(storeDeliveryStatuses)),
    message_id: Type.Optional(IdOf('msg')),
    rejection_code: Type.Optional(Type.String()),
    rejection_reason: Type.Optional(Type.String()),
    waiting_for: Type.Optional(OneOf(waitingReasons)),
    live_basis: Type.Optional(OneOf(liveBases)),
    taken_down_by: Type.Optional(OneOf([...takedownRequesters, 'store'])),
    stores: Type.Optional(Type.Array(StoreId)),
    actor: Type.Optional(Type.Object({ type: Type.String(), id: Type.String() }, closed)),
    reason: Type.Optional(Type.String()),
    territory_codes: Type.Optional(Type.Array(Type.String())),
    skipped: Type.Optional(skippedStores),
    changed_since: Type.Optional(
      Type.Integer({ description: 'The revision that these stores were sent before.' }),
    ),
    changes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({ examples: ['/title'] }),
            before: Type.Unknown(),
            after: Type.Unknown(),
          },
          { ...closed, title: 'FieldChange' },
        ),
        { description: 'The differences between that revision and the revision that is sent now.' },
      ),
    ),
  },
  { ...closed, title: 'TimelineEntry' },
);

export const TimelinePage = PageOf('TimelinePage', TimelineEntryBody);
