/** A webhook (contract §2, §3): the URL, the event types and the status that decide which events are sent. */

import { dayMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';
import { didYouMean } from '../../kernel/near-name.ts';
import { Problem, type Refusal, sentenceOf } from '../../kernel/problem.ts';
import type { Tier } from '../../kernel/tier.ts';

export type WebhookId = Id<'wh'>;

export const webhookStatuses = ['unverified', 'verified', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** The outcome of a ping. */
export type Ping = {
  /** Business time. */
  readonly at: Date;
  readonly statusCode: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
};

export type Webhook = {
  readonly id: WebhookId;
  readonly url: string;
  /** `['*']` for all of them. */
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  /** The last characters of the secret, to distinguish secrets. */
  readonly secretHint: string;
  readonly verifiedAt: Date | null;
  /** True from the first ping that was answered 200 on; only then do events become webhook deliveries. */
  readonly isSubscribed: boolean;
  readonly lastPing: Ping | null;
  /** Business time of the first failure since the last success. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const webhooksMax = 100;
export const eventTypesMax = 50;
export const everything = '*';

/** Attempts in flight for one webhook; fewer while it fails: a receiver that hangs occupies few connections. */
const concurrentAttemptsMax = { usual: 16, failing: 4 } as const;

export const remainingAttemptSlots = (inFlight: number) => ({
  usual: Math.max(0, concurrentAttemptsMax.usual - inFlight),
  failing: Math.max(0, concurrentAttemptsMax.failing - inFlight),
});

/**
 * Spec §6: events of the enterprise tier only. An organization that left it gets no more of them, also where a webhook
 * names their type.
 */
export const enterpriseTypes: ReadonlySet<string> = new Set(['api.changelog.published']);

/** Contract §6: `*` leaves these types out below the enterprise tier, and naming one is refused. */
export function refuseEnterpriseTypes(
  requested: RequestedEventTypes,
  tier: Tier,
): Refusal | undefined {
  if (tier === 'enterprise') return undefined;
  const details = [requested].flat().flatMap((type, i) =>
    enterpriseTypes.has(type)
      ? [
          {
            field: fieldOf(requested, i),
            issue: `needs the enterprise tier, and your organization has the ${tier} tier; remove it`,
          },
        ]
      : [],
  );
  if (details.length === 0) return undefined;
  return {
    code: 'tier_not_allowed',
    message: `The event type api.changelog.published needs the enterprise tier; your organization has the ${tier} tier. Leave it out: GET /v1/changelog has the entries too.`,
    details,
  };
}

/** As the partner sent it: one, or several. */
export type RequestedEventTypes = string | readonly string[];

const fieldOf = (requested: RequestedEventTypes, i: number): string =>
  typeof requested === 'string' ? 'event_type' : `event_type[${i}]`;

/** Without duplicates. */
export const eventTypesOf = (requested: RequestedEventTypes): readonly string[] => [
  ...new Set([requested].flat()),
];

/** Contract §6: `*` means all, so it cannot be combined with other types. */
export function refuseEventTypes(
  requested: RequestedEventTypes,
  known: ReadonlySet<string>,
): Refusal | undefined {
  const unknown = [requested].flat().flatMap((type, i) =>
    type === everything || known.has(type)
      ? []
      : [
          {
            field: fieldOf(requested, i),
            issue:
              'is not an event type you can subscribe to; GET /v1/event_types lists them (ping is always sent)',
            near: () => didYouMean(type, known),
          },
        ],
  );
  const types = eventTypesOf(requested);
  const mixed =
    types.includes(everything) && types.length > 1
      ? [
          {
            field: 'event_type',
            issue: 'combines * with other types; send * alone, which means all types',
          },
        ]
      : [];
  const details = [...unknown, ...mixed];
  const [first] = details;
  return first && { code: 'invalid_field', message: sentenceOf(first), details };
}

export const refuseTooManyWebhooks = (count: number): Refusal | undefined =>
  count < webhooksMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `Your organization has ${count} webhooks, the most that are allowed (${webhooksMax}). Delete one first.`,
      };

const secretPrefix = 'whsec_';
const secretBytesMin = 24;
const secretBytesMax = 64;

/** Contract §6: `whsec_` and the base64 of 24 to 64 bytes. */
export function refuseSecret(secret: string): Refusal | undefined {
  const encoded = secret.slice(secretPrefix.length);
  const isBase64 =
    secret.startsWith(secretPrefix) &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) &&
    encoded.length % 4 === 0;
  const padding = /=*$/.exec(encoded)?.[0].length ?? 0;
  const bytes = (encoded.length / 4) * 3 - padding;
  if (isBase64 && bytes >= secretBytesMin && bytes <= secretBytesMax) return undefined;
  return {
    code: 'invalid_field',
    message:
      'secret must be whsec_ followed by the base64 of 24 to 64 random bytes. Send such a secret, or omit it to have one generated.',
    details: [
      { field: 'secret', issue: 'must be whsec_ followed by the base64 of 24 to 64 random bytes' },
    ],
  };
}

export const asSecret = (base64: string): string => `${secretPrefix}${base64}`;
export const base64FromSecret = (secret: string): string => secret.slice(secretPrefix.length);

const hintLength = 4;
export const hintOf = (secret: string): string => secret.slice(-hintLength);

/** Spec §6: 200, not just any 2xx. */
export const isVerifyingPing = ({ statusCode }: Ping): boolean => statusCode === 200;

const disabledAfterMs = 5 * dayMs;

/** Contract §3: a webhook is disabled once every attempt has failed for 5 days. */
export const hasFailedTooLong = ({ failingSince }: Webhook, now: Date): boolean =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= disabledAfterMs;

export const webhookNotFound = () =>
  new Problem('resource_not_found', 'No webhook of your organization has this id.');
