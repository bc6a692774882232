/** Every event type, with the schema and an example of its data (contract §6). */

import { Type } from 'typebox';
import { failedArtworkExample, readyAudioExample } from '../assets/http/asset-examples.ts';
import { AssetSummary } from '../assets/http/asset-schemas.ts';
import { releaseStatuses } from '../catalog/domain/release.ts';
import { draftReleaseExample, submittedReleaseExample } from '../catalog/http/release-examples.ts';
import { ReleaseBody } from '../catalog/http/release-schemas.ts';
import { deliveryStatuses } from '../delivery/domain/aggregate.ts';
import { storeDeliveryStatuses } from '../delivery/domain/store-delivery.ts';
import {
  rejectedDeliveryExample,
  storeOverdueExample,
  storeUpdatedExample,
  takenDownDeliveryExample,
} from '../delivery/http/delivery-examples.ts';
import { DeliveryBody } from '../delivery/http/delivery-schemas.ts';
import { DeliveryStoreBody } from '../delivery/http/delivery-store-schemas.ts';
import { pendingOrganizationExample } from '../identity/http/organization-examples.ts';
import { OrganizationBody } from '../identity/http/organization-schemas.ts';
import { exampleIds, exampleOrigin } from '../kernel/example-story.ts';
import { payoutStatuses } from '../money/domain/payout.ts';
import {
  adjustmentExample,
  forfeitedEarningsExample,
  heldEarningsExample,
  releasedEarningsExample,
} from '../money/http/ledger-examples.ts';
import { AdjustmentBody, EarningHoldBody } from '../money/http/ledger-schemas.ts';
import { heldPayoutExample } from '../money/http/payout-examples.ts';
import { payoutMethodExample } from '../money/http/payout-method-examples.ts';
import { PayoutMethodBody } from '../money/http/payout-method-schemas.ts';
import { PayoutBody } from '../money/http/payout-schemas.ts';
import type { WebhookDescription } from '../platform/http/openapi-webhooks.ts';
import { closed, IdOf, Nullable, OneOf } from '../platform/http/schema.ts';
import { publishedStatementExample } from '../royalties/http/statement-examples.ts';
import { StatementBody } from '../royalties/http/statement-schemas.ts';
import { ChangelogBody } from '../webhooks/http/changelog-schema.ts';
import { eventName, eventSchemas, type EventType } from '../webhooks/http/event-schemas.ts';
import { disabledWebhookExample, webhookExample } from '../webhooks/http/webhook-examples.ts';
import { WebhookBody } from '../webhooks/http/webhook-schemas.ts';

/** One store, not all of them (contract §6). */
const aboutStore = {
  delivery_id: IdOf('dlv'),
  release_id: IdOf('rel'),
  status: OneOf(deliveryStatuses, {
    description: 'The aggregate status of all stores of the delivery.',
  }),
  store: DeliveryStoreBody,
};

const StoreUpdated = Type.Object(
  {
    ...aboutStore,
    previous_status: OneOf(storeDeliveryStatuses, {
      description: 'The status of the store before.',
    }),
  },
  { ...closed, description: 'The store that changed, and its delivery.' },
);

const StoreOverdue = Type.Object(aboutStore, {
  ...closed,
  description: 'The store that has not answered, and its delivery.',
});

export const storedTypes: readonly EventType[] = [
  {
    type: 'release.created',
    description: 'A release was created. The creation is not also a release.status.changed.',
    data: ReleaseBody,
    example: draftReleaseExample,
  },
  {
    type: 'release.status.changed',
    description: 'The status of a release changed.',
    data: Type.Object(
      {
        release_id: IdOf('rel'),
        previous_status: OneOf(releaseStatuses, {
          description: 'The status of the release before.',
        }),
        status: OneOf(releaseStatuses, { description: 'The status of the release now.' }),
        release: ReleaseBody,
      },
      { ...closed, description: 'The release whose status changed, with both statuses.' },
    ),
    example: {
      release_id: exampleIds.rel,
      previous_status: 'draft',
      status: 'submitted',
      release: submittedReleaseExample,
    },
  },
  {
    type: 'asset.ready',
    description: 'The file of an asset was examined and can be used.',
    data: AssetSummary,
    example: readyAudioExample,
  },
  {
    type: 'asset.failed',
    description: 'The file of an asset cannot be used; failure_reason says why and what to do.',
    data: AssetSummary,
    example: failedArtworkExample,
  },
  {
    type: 'delivery.completed',
    description:
      'A delivery became delivered (every store has the release), rejected (a store refused it) or action_required (a store needs a change). Sent each time this happens.',
    data: DeliveryBody,
    example: rejectedDeliveryExample,
  },
  {
    type: 'delivery.taken_down',
    description: 'Every store of a delivery has removed the release.',
    data: DeliveryBody,
    example: takenDownDeliveryExample,
  },
  {
    type: 'delivery.store.updated',
    description: 'One store of a delivery changed its state.',
    data: StoreUpdated,
    example: storeUpdatedExample,
  },
  {
    type: 'delivery.store.overdue',
    description: 'A store has not answered by the time it should have.',
    data: StoreOverdue,
    example: storeOverdueExample,
  },
  {
    type: 'payout.status.changed',
    description:
      'A payout was created, or its status changed. Its holds say what it waits for, and failure_code why it failed or came back.',
    data: Type.Object(
      {
        previous_status: Nullable(
          OneOf(payoutStatuses, {
            description: 'The status of the payout before. `null`: it was created.',
          }),
        ),
        payout: PayoutBody,
      },
      { ...closed, description: 'The payout whose status changed, with its status before.' },
    ),
    example: { previous_status: 'pending', payout: heldPayoutExample },
  },
  {
    type: 'payout_method.changed',
    description:
      'A payout method was created, approved or removed. If your organization did not do that, cancel the payouts that are on hold and contact support.',
    data: PayoutMethodBody,
    example: payoutMethodExample,
  },
  {
    type: 'statement.published',
    description:
      'A statement was published: its net amount is in your balance. A published statement never changes.',
    data: StatementBody,
    example: publishedStatementExample,
  },
  {
    type: 'adjustment.created',
    description: 'Your balance was adjusted by an amount that is not a royalty.',
    data: AdjustmentBody,
    example: adjustmentExample,
  },
  {
    type: 'earnings.held',
    description: 'Some earnings are not payable for now; reason says why.',
    data: EarningHoldBody,
    example: heldEarningsExample,
  },
  {
    type: 'earnings.released',
    description: 'Held earnings are payable again.',
    data: EarningHoldBody,
    example: releasedEarningsExample,
  },
  {
    type: 'earnings.forfeited',
    description:
      'Held earnings were taken back by the store. An adjustment.created event with the penalty follows.',
    data: EarningHoldBody,
    example: forfeitedEarningsExample,
  },
  {
    type: 'webhook.disabled',
    description:
      'Every attempt to reach a webhook failed for five days. Ping it once it works again, then redeliver the events it missed.',
    data: WebhookBody,
    example: disabledWebhookExample,
  },
  {
    type: 'organization.verification.changed',
    description:
      'The verification of your organization changed, or what you must still send for it. Once it is verified, deliveries that waited for it are sent.',
    data: OrganizationBody,
    example: pendingOrganizationExample,
  },
  {
    type: 'api.changelog.published',
    description: 'An entry of the changelog was published. For the enterprise tier.',
    data: ChangelogBody,
    example: {
      date: '2024-04-15',
      title: 'Line items, a seeded sandbox, payouts on hold',
      changes: [
        { kind: 'added', text: 'Payout status on_hold.', sunset: null },
        {
          kind: 'deprecated',
          text: 'Setting the status of a release with PATCH /v1/releases/{release_id}.',
          sunset: '2024-09-01',
        },
      ],
      url: `${exampleOrigin}/docs/guides/changelog#2024-04-15`,
    },
  },
];

/** Sent to a webhook when it is registered or pinged. It is not in the event history, and cannot be subscribed to. */
export const pingType: EventType = {
  type: 'ping',
  description: 'Checks whether a webhook can be reached. Answer 200 within ten seconds.',
  data: Type.Object(
    {
      webhook_id: IdOf('wh'),
      url: Type.String({ description: 'The URL that receives the ping.' }),
    },
    { ...closed, description: 'The webhook that is pinged.' },
  ),
  example: { webhook_id: webhookExample.id, url: webhookExample.url },
};

/** All that a webhook receives. */
export const receivedTypes: readonly EventType[] = [pingType, ...storedTypes];

export const receivedEvents = eventSchemas(receivedTypes);

export const webhookDescriptions: readonly WebhookDescription[] = receivedTypes.map(
  ({ type, description }) => ({
    type,
    name: eventName(type),
    description,
    schema: receivedEvents.schemaOf(type),
    example: receivedEvents.exampleOf(type),
  }),
);
