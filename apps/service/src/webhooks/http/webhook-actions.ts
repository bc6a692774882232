/** Actions on a webhook: rotate its secret, redeliver what it missed (contract §4, §6). */

import { Problem } from '../../kernel/problem.ts';
import { parseTimestamp } from '../../kernel/timestamp.ts';
import { accepted } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { redeliverSince } from '../commands/redeliver.ts';
import { rotateSecret } from '../commands/register-webhook.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import { shownWithSecret, webhookIdOf, webhooksPath } from './webhook-answers.ts';
import { webhookExamples } from './webhook-examples.ts';
import {
  CountSince,
  RedeliverSinceBody,
  RotateBody,
  WebhookPath,
  WebhookWithSecret,
} from './webhook-schemas.ts';

const writing = { tag: 'Webhooks', scope: 'webhooks:write', params: WebhookPath } as const;

export function webhookActionRoutes(server: Server, deps: MutationDeps): void {
  rotateRoute(server, deps);
  redeliverRoute(server, deps);
}

function rotateRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'rotateWebhookSecret',
      action: 'webhook.rotate_secret',
      effect: 'reveals_secret',
      summary: 'Rotate the secret',
      description:
        'Creates a new secret and returns it once. Until the grace period ends, `X-SVC-Signature` is made with the old secret, and `webhook-signature` with both. If you rotate again during the grace period, the oldest secret stops working at once.',
      method: 'POST',
      path: `${webhooksPath}/:webhook_id/rotate_secret`,
      body: RotateBody,
      answers: { 200: WebhookWithSecret },
      examples: webhookExamples.rotateWebhookSecret,
      problems: ['resource_not_found'],
    },
    async (tx, { params, body }) => {
      const grace = body.grace_period_seconds ?? 86_400;
      const { before, after, secret } = await rotateSecret(
        tx,
        deps.keyring,
        webhookIdOf(params),
        grace,
      );
      return {
        answer: shownWithSecret(after, secret),
        auditedId: after.id,
        before: presentWebhook(before),
      };
    },
  );
}

function redeliverRoute(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      ...writing,
      id: 'redeliverToWebhook',
      action: 'webhook.redeliver',
      effect: 'changes',
      summary: 'Redeliver undelivered events',
      description:
        'Sends the events that are undelivered to this webhook since a time again, the oldest 10,000 of them. If `has_more` is `true`, send the same request again with another `Idempotency-Key`. The events can arrive in any order.',
      method: 'POST',
      path: `${webhooksPath}/:webhook_id/redeliver`,
      body: RedeliverSinceBody,
      answers: { 202: CountSince },
      examples: webhookExamples.redeliverToWebhook,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      const id = webhookIdOf(params);
      const since = parseTimestamp(body.since);
      if (since === undefined)
        throw new Problem(
          'invalid_field',
          'since must be a timestamp such as "2026-11-15T09:30:00.000Z".',
        );
      const { count, hasMore } = await redeliverSince(tx, id, since);
      return { answer: accepted({ count, has_more: hasMore }), auditedId: id, before: undefined };
    },
  );
}
