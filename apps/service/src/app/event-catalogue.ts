/** Every event type, with the schema of its data (contract §6). */

import { type TObject, Type } from 'typebox';
import { AssetSummary } from '../assets/http/asset-schemas.ts';
import { releaseStatuses } from '../catalog/domain/release.ts';
import { ReleaseBody } from '../catalog/http/release-schemas.ts';
import { deliveryStatuses } from '../delivery/domain/aggregate.ts';
import { storeDeliveryStatuses } from '../delivery/domain/store-delivery.ts';
import { DeliveryBody } from '../delivery/http/delivery-schemas.ts';
import { DeliveryStoreBody } from '../delivery/http/delivery-store-schemas.ts';
import { closed, IdOf, OneOf } from '../platform/http/schema.ts';
import { ChangelogBody } from '../webhooks/http/changelog-schema.ts';
import { WebhookBody } from '../webhooks/http/webhook-schemas.ts';

type EventType = {
  readonly type: string;
  readonly description: string;
  readonly data: TObject;
};

/** One store, not all of them (contract §6). */
const aboutStore = {
  delivery_id: IdOf('dlv'),
  release_id: IdOf('rel'),
  status: OneOf(deliveryStatuses),
  store: DeliveryStoreBody,
};

const StoreUpdated = Type.Object(
  {
    ...aboutStore,
    previous_status: OneOf(storeDeliveryStatuses, {
      description: 'The status of the store before.',
    }),
  },
  closed,
);

const StoreOverdue = Type.Object(aboutStore, closed);

export const eventTypes: readonly EventType[] = [
  {
    type: 'release.created',
    description: 'A release was created. The creation is not also a release.status.changed.',
    data: ReleaseBody,
  },
  {
    type: 'release.status.changed',
    description: 'The status of a release changed.',
    data: Type.Object(
      {
        release_id: IdOf('rel'),
        previous_status: OneOf(releaseStatuses),
        status: OneOf(releaseStatuses),
        release: ReleaseBody,
      },
      closed,
    ),
  },
  {
    type: 'asset.ready',
    description: 'The file of an asset was examined and can be used.',
    data: AssetSummary,
  },
  {
    type: 'asset.failed',
    description: 'The file of an asset cannot be used; failure_reason says why and what to do.',
    data: AssetSummary,
  },
  {
    type: 'delivery.completed',
    description:
      'A delivery became delivered (every store has the release), rejected (a store refused it) or action_required (a store needs a change). Sent each time this happens.',
    data: DeliveryBody,
  },
  {
    type: 'delivery.taken_down',
    description: 'Every store of a delivery has removed the release.',
    data: DeliveryBody,
  },
  {
    type: 'delivery.store.updated',
    description: 'One store of a delivery changed its state.',
    data: StoreUpdated,
  },
  {
    type: 'delivery.store.overdue',
    description: 'A store has not answered by the time it should have.',
    data: StoreOverdue,
  },
  {
    type: 'webhook.disabled',
    description:
      'Every attempt to reach a webhook failed for five days. Ping it once it works again, then redeliver the events it missed.',
    data: WebhookBody,
  },
  {
    type: 'api.changelog.published',
    description: 'An entry of the changelog was published. For the enterprise tier.',
    data: ChangelogBody,
  },
];

/** Sent to a webhook when it is registered or pinged. It is not in the event history, and cannot be subscribed to. */
export const pingType: EventType = {
  type: 'ping',
  description: 'Checks whether a webhook can be reached. Answer 200 within ten seconds.',
  data: Type.Object({ webhook_id: IdOf('wh'), url: Type.String() }, closed),
};
