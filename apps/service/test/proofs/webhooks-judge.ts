/** Compares every pair, as the api reports it, with the answer plan and with what the receivers got. */

import { isDeepStrictEqual } from 'node:util';
import { runConcurrently } from './client.ts';
import { attemptsMax, statusOf } from './webhooks-answer-plan.ts';
import type { Endpoint } from './webhooks-receivers.ts';
import {
  requestOrThrow,
  type Json,
  type Partner,
  type ScenarioContext,
} from './webhooks-scenario.ts';
import { type Waits, judgeRetryWaits } from './webhooks-waits.ts';

export const noMismatches = () => ({
  /** Still pending or without a webhook delivery, or reported as delivered though the receiver did not get it. */
  lost: 0,
  wrong_outcomes: 0,
  wrong_attempts: 0,
  owed_to_others: 0,
  wrong_events: 0,
  wrong_contents: 0,
  wrong_lists: 0,
  wrong_waits: 0,
  early_retries: 0,
  gaps_outside_while_held: 0,
});
export type MismatchCounts = ReturnType<typeof noMismatches>;
export type RecordMismatch = (kind: keyof MismatchCounts, what: string) => void;

type Tally = { pairs: number; delivered: number; undelivered: number; attempts: number };

export type JudgeContext = ScenarioContext & {
  readonly recordMismatch: RecordMismatch;
  readonly tally: Tally;
  readonly waits: Waits;
};

const readersPerPartner = 3;
const pageSize = 100;

export async function judgePartner(context: JudgeContext, partner: Partner): Promise<void> {
  const events = await listEvents(context, partner, '');
  judgeEvents(context, partner, events);
  const left = events.values();
  await runConcurrently(readersPerPartner, async () => {
    const { value } = left.next();
    if (value === undefined) return false;
    judgeEvent(
      context,
      partner,
      await requestOrThrow(context, partner, 'GET', `/v1/events/${value.id}`),
    );
    return true;
  });
  await judgeLists(context, partner);
}

/** Reads all pages of the list of events. */
export async function listEvents(
  context: ScenarioContext,
  partner: Partner,
  query: string,
): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0; ;) {
    const path = `/v1/events?after=${after}&limit=${pageSize}${query}`;
    const { data, has_more } = await requestOrThrow(context, partner, 'GET', path);
    events.push(...data);
    if (!has_more) return events;
    after = data.at(-1).sequence;
  }
}

/** There must be exactly one event for each release, with the release as its data. */
function judgeEvents(
  { recordMismatch, receivers }: JudgeContext,
  { releases }: Partner,
  events: readonly Json[],
) {
  const references = new Set(events.map(({ data }) => data.reference));
  if (events.length !== releases.size || references.size !== releases.size) {
    recordMismatch('wrong_events', `${events.length} events of ${releases.size} releases`);
  }
  for (const { id, data } of events) {
    const release = releases.get(data.reference);
    const received = receivers.receivedEvents.get(data.reference);
    if (received?.eventId !== id || !isDeepStrictEqual(received?.data, release)) {
      recordMismatch('wrong_contents', `${data.reference}: ${JSON.stringify(received?.data)}`);
    }
  }
}

const subscribedEndpoints = ({ endpoints }: Partner): readonly Endpoint[] =>
  endpoints.filter(({ isSubscribed }) => isSubscribed);

function judgeEvent(context: JudgeContext, partner: Partner, event: Json): void {
  const deliveries = new Map<string, Json>(
    event.webhooks.map((each: Json) => [each.webhook_id, each]),
  );
  const endpoints = subscribedEndpoints(partner);
  if (deliveries.size !== endpoints.length) {
    context.recordMismatch(
      'owed_to_others',
      `${event.data.reference} has webhook deliveries to ${deliveries.size} endpoints`,
    );
  }
  for (const endpoint of endpoints) {
    const attempts = event.attempts
      .filter((attempt: Json) => attempt.webhook_id === endpoint.webhookId)
      .toSorted((a: Json, b: Json) => a.number - b.number);
    judgePair(
      context,
      endpoint,
      event.data.reference,
      deliveries.get(endpoint.webhookId),
      attempts,
    );
    judgeRetryWaits(context, partner, endpoint, event.data.reference, attempts);
  }
}

function judgePair(
  { recordMismatch, answerPlan, tally }: JudgeContext,
  endpoint: Endpoint,
  reference: string,
  delivery: Json,
  attempts: readonly Json[],
): void {
  const name = `${endpoint.index}/${reference}`;
  const answers = answerPlan.answersOf(endpoint.index, reference);
  const received = endpoint.pairs.get(reference)?.attempts ?? [];
  const status = answers.at(-1)?.kind === 'good' ? 'delivered' : 'undelivered';
  count(tally, delivery, attempts);
  if (delivery === undefined || delivery.delivery_status === 'pending' || received.length === 0) {
    return recordMismatch(
      'lost',
      `${name}: ${JSON.stringify(delivery)}, received ${received.length} times`,
    );
  }
  if (delivery.delivery_status !== status || delivery.attempts !== answers.length) {
    recordMismatch(
      'wrong_outcomes',
      `${name}: ${JSON.stringify(delivery)}, not ${status} ${answers.length}`,
    );
  }
  const reported = attempts.map(({ id, number, status_code }) => [id, number, status_code]);
  const expected = answers.map((answer, i) => [received[i]?.id, i + 1, statusOf(answer)]);
  if (!isDeepStrictEqual(reported, expected) || received.length > attemptsMax) {
    recordMismatch(
      'wrong_attempts',
      `${name}: ${JSON.stringify(reported)}, not ${JSON.stringify(expected)}`,
    );
  }
}

function count(tally: Tally, delivery: Json, attempts: readonly Json[]): void {
  tally.pairs++;
  tally.attempts += attempts.length;
  if (delivery?.delivery_status === 'delivered') tally.delivered++;
  if (delivery?.delivery_status === 'undelivered') tally.undelivered++;
}

/** An event is `delivered` if every endpoint got it, `undelivered` if it was given up at one of them. */
async function judgeLists(context: JudgeContext, partner: Partner): Promise<void> {
  const { answerPlan, recordMismatch } = context;
  const isGood = (reference: string) =>
    subscribedEndpoints(partner).every(
      ({ index }) => answerPlan.answersOf(index, reference).at(-1)?.kind === 'good',
    );
  const references = [...partner.releases.keys()];
  const expected = {
    delivered: references.filter(isGood),
    undelivered: references.filter((reference) => !isGood(reference)),
    pending: [],
  };
  for (const [status, expectedReferences] of Object.entries(expected)) {
    const events = await listEvents(context, partner, `&delivery_status=${status}`);
    const listed = events.map(({ data }) => data.reference as string);
    if (
      !isDeepStrictEqual(new Set(listed), new Set(expectedReferences)) ||
      listed.length !== expectedReferences.length
    ) {
      recordMismatch('wrong_lists', `${listed.length} ${status}, not ${expectedReferences.length}`);
    }
  }
}
