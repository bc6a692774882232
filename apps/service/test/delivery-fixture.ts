/**
 * For tests of deliveries: starts a test service with the fictional stores and a worker driver, and lets a test choose
 * what each store answers. `close` checks every delivery and event of the test against contract §3 and §6.
 */

import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import { storedTypes } from '../src/app/event-catalogue.ts';
import { type ReceivedAnswer, recordAnswers } from '../src/delivery/commands/record-answers.ts';
import type { StoreMessage, StoreConnector } from '../src/delivery/connectors/store-connector.ts';
import { aggregateStatus, countStoresByStatus } from '../src/delivery/domain/aggregate.ts';
import type { AnswerContent as Content, ReceivedRejection } from '../src/delivery/domain/answer.ts';
import { storeDeliveryStatuses } from '../src/delivery/domain/store-delivery.ts';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { simulatedStore } from '../src/sandbox/commands/simulate-store.ts';
import { scriptStores } from './scripted-stores.ts';
import { type OrgClient, openTestService, type Reply, type TestService } from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

/** As a store may send it. */
export type AnswerContent = Content<ReceivedRejection>;

export const deliveredAnswer: AnswerContent = {
  kind: 'delivered',
  url: 'https://aurora.example/1',
};
export const rejectedAnswer: AnswerContent = {
  kind: 'rejected',
  rejection: { code: 'metadata_error', reason: 'The title is not the cover’s.' },
};
export const actionRequiredAnswer: AnswerContent = {
  kind: 'action_required',
  rejection: { code: 'rights_conflict', reason: 'Confirm your rights.' },
};
export const removedAnswer: AnswerContent = { kind: 'removed' };
export const removalRefusedAnswer: AnswerContent = {
  kind: 'removal_refused',
  rejection: { code: 'takedown_refused', reason: 'It is being promoted.' },
};

type GivenDelivery = {
  readonly stores?: readonly string[];
  readonly territory_codes?: readonly string[];
  readonly simulate?: string;
  readonly caller?: OrgClient;
  readonly release?: object;
};

export type Json = Reply['json'];

export const monday = '2026-11-16T12:00:00.000Z';

export type DeliveryFixture = Awaited<ReturnType<typeof openDeliveryFixture>>;

export async function openDeliveryFixture(now = monday) {
  const service = await openTestService({ now });
  await service.admin('stores', 'seed');
  const sent: StoreMessage[] = [];
  const { runUntilIdle } = openWorkerDriver(service, { simulated: recordingStore(sent) });
  const label = await service.givenOrganization();
  const intake = { db: service.workerDb, clock: service.clock, newId: createIds(service.clock) };

  /** A release that was submitted and approved; `simulate` is a script for `scripted-stores.ts`. */
  const givenApprovedRelease = async (
    { simulate = '', ...fields }: { readonly simulate?: string } & Record<string, unknown> = {},
    caller = label,
  ): Promise<string> => {
    const id = await service.givenSubmittedRelease(caller, fields);
    await scriptStores(caller, simulate, id);
    await runUntilIdle();
    return id;
  };
  const post = (path: string, body: object = {}, caller = label): Promise<Reply> =>
    caller.call('POST', `/v1/deliveries${path}`, body);
  const get = async (id: string, caller = label): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/deliveries/${id}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const releaseOf = async (id: string, caller = label): Promise<Json> =>
    (await caller.call('GET', `/v1/releases/${id}`)).json;

  /** A delivery whose messages were sent; its stores do not answer unless `simulate` says so. */
  const givenDelivery = async ({
    stores = ['aurora'],
    territory_codes = ['WORLDWIDE'],
    simulate = '*=silent',
    caller = label,
    release = {},
  }: GivenDelivery = {}): Promise<Json> => {
    const release_id = await givenApprovedRelease({ simulate, ...release }, caller);
    const reply = await post('', { release_id, stores, territory_codes }, caller);
    assert.equal(reply.status, 201, reply.text);
    await runUntilIdle();
    return get(reply.json.id, caller);
  };

  /** The store's newest message, sent or not yet sent. */
  const latestMessageId = async (id: string, storeId: string): Promise<Id<'msg'>> => {
    const [row] = await service.query(
      'select message_id from delivery_stores where delivery_id = $1 and store_id = $2',
      [toUuid(id as Id<'dlv'>), storeId],
    );
    return toWire('msg', row.message_id);
  };
  /** The messages that stores received for a delivery, in order. */
  const messagesOf = (id: string): readonly StoreMessage[] =>
    sent.filter(({ deliveryId }) => deliveryId === id);
  /** The same as store, kind and revision: `aurora deliver 3`. */
  const sentOf = (id: string): readonly string[] =>
    messagesOf(id).map(({ storeId, message, snapshot }) =>
      [storeId, message.kind, snapshot.release.revision].join(' '),
    );
  const applyAnswers = async (...answers: readonly ReceivedAnswer[]) => {
    const unknown = await recordAnswers(intake, answers);
    await runUntilIdle();
    return unknown;
  };
  /** Each store answers its newest message; returns the delivery afterwards. */
  const answer = async (
    { id }: { readonly id: string },
    answerByStore: Readonly<Record<string, AnswerContent>>,
    caller = label,
  ): Promise<Json> => {
    const answers: ReceivedAnswer[] = [];
    for (const [storeId, content] of Object.entries(answerByStore)) {
      answers.push({ messageId: await latestMessageId(id, storeId), ...content });
    }
    await applyAnswers(...answers);
    return get(id, caller);
  };

  const advanceTime = async (ms: number): Promise<void> => {
    await service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString());
    await runUntilIdle();
  };
  const patchRelease = async (id: string, fields: object, caller = label): Promise<Json> => {
    const reply = await caller.call('PATCH', `/v1/releases/${id}`, fields);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };

  /** All events about a release and its deliveries, in order. */
  const eventsOf = async (releaseId: string, caller = label): Promise<Json[]> => {
    await service.sequenceEvents();
    const found: Json[] = [];
    for (let after = 0, hasMore = true; hasMore;) {
      const { json } = await caller.call('GET', `/v1/events?after=${after}&limit=100`);
      found.push(...json.data);
      hasMore = json.has_more;
      after = json.data.at(-1)?.sequence ?? after;
    }
    return found.filter(({ data }) => data.id === releaseId || data.release_id === releaseId);
  };
  const timelineOf = async (id: string, query = 'limit=100', caller = label): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/deliveries/${id}/timeline?${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };

  return {
    service,
    label,
    runUntilIdle,
    givenApprovedRelease,
    givenDelivery,
    post,
    get,
    releaseOf,
    latestMessageId,
    applyAnswers,
    answer,
    advanceTime,
    messagesOf,
    sentOf,
    patchRelease,
    eventsOf,
    timelineOf,
    close: async () => {
      try {
        await checkCounts(service);
        await checkEvents(service);
      } finally {
        await service.close();
      }
    },
  };
}

/** A simulated store that adds every message it receives to `sent`. */
const recordingStore = (sent: StoreMessage[]): StoreConnector => ({
  ...simulatedStore,
  send: (message, ...rest) => {
    sent.push(message);
    return simulatedStore.send(message, ...rest);
  },
  takeDown: (message, ...rest) => {
    sent.push(message);
    return simulatedStore.takeDown(message, ...rest);
  },
});

/** Contract §3: the status and the store counts of every delivery follow from its store deliveries. */
async function checkCounts(service: TestService): Promise<void> {
  const deliveries = await service.query('select * from deliveries');
  const storeDeliveries = await service.query('select delivery_id, status from delivery_stores');
  for (const delivery of deliveries) {
    const counts = countStoresByStatus(
      storeDeliveries.filter(({ delivery_id }) => delivery_id === delivery.id),
    );
    const storedCounts = Object.fromEntries(
      storeDeliveryStatuses.map((status) => [status, delivery[status]]),
    );
    assert.deepEqual(storedCounts, counts, delivery.id);
    assert.equal(delivery.status, aggregateStatus(counts), delivery.id);
  }
}

/** Contract §6: the data of every event matches the schema of its type in the catalogue. */
async function checkEvents(service: TestService): Promise<void> {
  const validators = new Map(storedTypes.map(({ type, data }) => [type, Compile(data)]));
  for (const { type, data } of await service.query('select type, data from events')) {
    const validator = validators.get(type);
    assert.ok(validator, `contract §6: ${type} is in the catalogue`);
    assert.deepEqual(validator.Errors(data), [], type);
  }
}

export const codeOf = ({ status, json }: Reply): readonly unknown[] => [status, json?.error?.code];
export const fieldsOf = ({ json }: Reply): readonly string[] =>
  json.error.details.map(({ field }: { field: string }) => field);
export const storeDeliveryOf = (delivery: Json, storeId: string): Json =>
  delivery.stores.find((store: Json) => store.store_id === storeId);
/** Store id to status, of one delivery. */
export const statusByStore = (delivery: Json): Readonly<Record<string, string>> =>
  Object.fromEntries(delivery.stores.map((store: Json) => [store.store_id, store.status]));
/** The body without its request ids, to compare two replies byte for byte. */
export const withoutRequestIds = ({ text }: Reply): string => text.replaceAll(/req_\w{26}/g, '');
