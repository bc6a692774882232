/** In the sandbox: what a fictional store answers, said by the partner (contract §4). */

import { type Static, Type } from 'typebox';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { forbiddenCharacterIn } from '../../kernel/text.ts';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { closed, IdOf, MultilineText, OneOf, Text, Verbatim } from '../../platform/http/schema.ts';
import { answerForStore } from '../commands/answer-for-store.ts';
import type { AnswerContent } from '../domain/answer.ts';
import { presentDelivery } from '../domain/delivery-resource.ts';
import { parseDeliveryId } from './deliveries.ts';
import { DeliveryBody, StoreId } from './delivery-schemas.ts';

const answerKinds = [
  'delivered',
  'rejected',
  'action_required',
  'removed',
  'removal_refused',
] as const;

const AnswerBody = Type.Object(
  {
    answer: OneOf(answerKinds, {
      description:
        'To what the store was sent last: a release or an update is delivered, rejected or action_required, a takedown removed or removal_refused.',
    }),
    code: Type.Optional(Text(100, { description: 'Of a refusal.', examples: ['metadata_error'] })),
    reason: Type.Optional(MultilineText(2_000, { description: 'Of a refusal, for people.' })),
    url: Type.Optional(
      Verbatim(2_000, {
        pattern: '^https?://',
        description: 'Where people find what was delivered.',
      }),
    ),
  },
  { ...closed, title: 'StoreAnswer' },
);

type AnswerBody = Static<typeof AnswerBody>;

export function storeAnswerRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'answerForStore',
      action: 'sandbox.answer',
      tag: 'Sandbox',
      summary: 'Answer for a store',
      description:
        'A fictional store says this now, and not what it was going to say. The answer is heard at once: the delivery comes back as it is then, and its events are on their way.',
      method: 'POST',
      path: '/v1/sandbox/deliveries/:delivery_id/stores/:store_id/answer',
      scope: 'sandbox:write',
      params: Type.Object({ delivery_id: IdOf('dlv'), store_id: StoreId }),
      body: AnswerBody,
      answers: { 200: DeliveryBody },
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      enforce(refuseUnusedFields(body) ?? refuseUrl(body.url));
      const id = parseDeliveryId(params);
      const { delivery, storeDeliveries } = await answerForStore(
        tx,
        id,
        params.store_id,
        toAnswerContent(body),
      );
      return { answer: resource(presentDelivery(delivery, storeDeliveries)), auditedId: id };
    },
  );
}

const isRefusal = ({ answer }: AnswerBody): boolean =>
  answer === 'rejected' || answer === 'action_required' || answer === 'removal_refused';

/** It is kept as sent, so the rules for text have not looked at it. */
function refuseUrl(url: string | undefined): Refusal | undefined {
  const character = url === undefined ? undefined : forbiddenCharacterIn(url);
  if (character === undefined) return undefined;
  const [field, issue] = ['url', `must not contain ${character}`];
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

function refuseUnusedFields(body: AnswerBody): Refusal | undefined {
  const extras = [
    ...(isRefusal(body) ? [] : (['code', 'reason'] as const)),
    ...(body.answer === 'delivered' ? [] : (['url'] as const)),
  ].filter((field) => body[field] !== undefined);
  if (extras.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: `The answer ${body.answer} has no ${extras.join(' and no ')}.`,
    details: extras.map((field) => ({ field, issue: `does not go with ${body.answer}` })),
  };
}

function toAnswerContent({ answer, code, reason, url }: AnswerBody): AnswerContent {
  const rejection = { code: code ?? null, reason: reason ?? '' };
  switch (answer) {
    case 'delivered':
      return { kind: answer, url: url ?? null };
    case 'removed':
      return { kind: answer };
    default:
      return { kind: answer, rejection };
  }
}
