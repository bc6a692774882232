/** In the sandbox, a partner answers for a fictional store (contract §4). */

import { type Static, Type } from 'typebox';
import { enforce, type Refusal, invalidField } from '../../kernel/problem.ts';
import { forbiddenCharacterIn } from '../../kernel/text.ts';
import { resource } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import {
  closed,
  MultilineText,
  OneOf,
  Text,
  Verbatim,
  patterned,
} from '../../platform/http/schema.ts';
import { answerForStore } from '../commands/answer-for-store.ts';
import type { AnswerContent, ReceivedRejection } from '../domain/answer.ts';
import { answerKinds, answerTargets, canNameRelease } from '../domain/applicable-answers.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { parseDeliveryId } from './deliveries.ts';
import { storeAnswerExamples } from './delivery-operation-examples.ts';
import { DeliveryBody, DeliveryStorePath } from './delivery-schemas.ts';

const AnswerBody = Type.Object(
  {
    answer: OneOf(answerKinds, {
      description:
        'The answer of the store. To a release or an update: `acknowledged` (a receipt), `delivered`, `rejected` or `action_required`. To a takedown: `acknowledged`, `removed` or `removal_refused`. A store that has the release can also flag it (`action_required`) or remove it (`removed`) at any later time. A store can announce (`delivered`) what it rejected, or what was taken down.',
    }),
    about: Type.Optional(
      OneOf(answerTargets, {
        description:
          '`message`: the store answers its latest message. `release`: it names only the release, as stores do that flag or remove it months later; use it to flag the live release during an update. If you omit it, `message`, but `release` if the store announces (`delivered`) what was taken down.',
      }),
    ),
    code: Type.Optional(
      Text(100, { description: 'The rejection code.', examples: ['metadata_error'] }),
    ),
    reason: Type.Optional(
      MultilineText(2_000, { description: 'The reason of the rejection, for people.' }),
    ),
    url: Type.Optional(
      Verbatim(2_000, {
        ...patterned('^https?://', 'an http or https URL'),
        description: 'The page of the release at the store. Allowed only with `delivered`.',
      }),
    ),
  },
  { ...closed, title: 'AnswerForStore' },
);

type AnswerBody = Static<typeof AnswerBody>;

export function storeAnswerRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'answerForStore',
      action: 'sandbox.answer',
      effect: 'withdraws',
      effectIf: { answer: ['removed'] },
      tag: 'Sandbox',
      summary: 'Answer for a store',
      description:
        'Makes a fictional store give this answer now, and returns the changed delivery. Its events are sent at once. The answer replaces the answers that the store was going to give, unless it is only a receipt (`acknowledged`) or is about the release. An answer that changes nothing is refused, and the error names the answers that apply.',
      method: 'POST',
      path: '/v1/sandbox/deliveries/:delivery_id/stores/:store_id/answer',
      scope: 'sandbox:write',
      params: DeliveryStorePath,
      body: AnswerBody,
      answers: { 200: DeliveryBody },
      examples: storeAnswerExamples.answerForStore,
      problems: ['resource_not_found', 'invalid_state'],
    },
    async (tx, { params, body }) => {
      enforce(refuseUnusedFields(body) ?? refuseTarget(body) ?? refuseUrl(body.url));
      const id = parseDeliveryId(params);
      const { before, after } = await answerForStore(tx, id, {
        storeId: params.store_id,
        content: toAnswerContent(body),
        target: body.about,
      });
      return {
        answer: resource(presentDelivery(after.delivery, after.storeDeliveries)),
        auditedId: id,
        before: presentDelivery(before.delivery, before.storeDeliveries),
      };
    },
  );
}

const isRefusal = ({ answer }: AnswerBody): boolean =>
  answer === 'rejected' || answer === 'action_required' || answer === 'removal_refused';

function refuseTarget({ answer, about }: AnswerBody): Refusal | undefined {
  if (about !== 'release' || canNameRelease(answer)) return undefined;
  const [field, issue] = ['about', `must be message with the answer ${answer}`];
  return invalidField(field, issue);
}

/** A verbatim field is not checked by the rules for text. */
function refuseUrl(url: string | undefined): Refusal | undefined {
  const character = url === undefined ? undefined : forbiddenCharacterIn(url);
  if (character === undefined) return undefined;
  const [field, issue] = ['url', `must not contain ${character}`];
  return invalidField(field, issue);
}

function refuseUnusedFields(body: AnswerBody): Refusal | undefined {
  const unused = [
    ...(isRefusal(body) ? [] : (['code', 'reason'] as const)),
    ...(body.answer === 'delivered' ? [] : (['url'] as const)),
  ].filter((field) => body[field] !== undefined);
  if (unused.length === 0) return undefined;
  return {
    code: 'invalid_field',
    message: `The answer ${body.answer} does not use ${unused.join(' and ')}. Remove ${unused.length === 1 ? 'it' : 'them'}.`,
    details: unused.map((field) => ({
      field,
      issue: `is not used with the answer ${body.answer}; remove it`,
    })),
  };
}

function toAnswerContent({
  answer,
  code,
  reason,
  url,
}: AnswerBody): AnswerContent<ReceivedRejection> {
  const rejection = { code: code ?? null, reason: reason ?? '' };
  switch (answer) {
    case 'delivered':
      return { kind: answer, url: url ?? null };
    case 'acknowledged':
    case 'removed':
      return { kind: answer };
    default:
      return { kind: answer, rejection };
  }
}
