/** Answers that arrive together: they wake the engine once for each lane, and one that fails holds up no other. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { applyArrivedAnswers } from '../src/delivery/commands/apply-answers.ts';
import { recordAnswers, requeueStaleAnswers } from '../src/delivery/commands/record-answers.ts';
import { deliveryWorkflows } from '../src/delivery/workflows/deliveries.ts';
import { addMs, minuteMs } from '../src/kernel/duration.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import type { Tx } from '../src/platform/db/database.ts';
import type { EngineMessage } from '../src/platform/engine/outbox.ts';
import type { HandlerContext } from '../src/platform/engine/workflow.ts';
import { simulatedStore } from '../src/sandbox/commands/simulate-store.ts';
import {
  type AnswerContent,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  type DeliveryFixture,
} from './delivery-fixture.ts';
import { noBatches } from './worker-driver.ts';

const deliveriesMax = 12;
const acknowledgedAnswer: AnswerContent = { kind: 'acknowledged' };

/** The handler of an answer lane. */
const apply = deliveryWorkflows({ simulated: simulatedStore, ddex: noBatches }).find(
  ({ service }) => service === 'delivery-answers',
)!.handlers['apply']!;

describe('answers to several deliveries', () => {
  let fixture: DeliveryFixture;
  let deliveries: readonly string[];
  before(async () => {
    fixture = await openDeliveryFixture();
    const found: string[] = [];
    for (let i = 0; i < deliveriesMax; i++) found.push((await fixture.givenDelivery()).id);
    deliveries = found;
  });
  after(() => fixture.close());

  const record = async (
    ids: readonly string[],
    storeOf: (id: string) => string | undefined = () => 'aurora',
    content: AnswerContent = deliveredAnswer,
  ) => {
    const { workerDb: db, clock } = fixture.service;
    const messageIds = await Promise.all(
      ids.map((id) => fixture.latestMessageId(id, storeOf(id) ?? 'aurora')),
    );
    const answers = messageIds.map((messageId) => ({ messageId, ...content }));
    assert.deepEqual(await recordAnswers({ db, clock, newId: createIds(clock) }, answers), []);
  };
  const countWakes = async (): Promise<number> => {
    const wakes = await fixture.service.query(
      `select key from outbox where service = 'delivery-answers'`,
    );
    return wakes.length;
  };
  const letWakesAge = () =>
    fixture.service.query(`update answer_wakes set enqueued_at = now() - interval '31 seconds'`);
  /** A step of the lane that has all deliveries. */
  const inStep = <T>(work: (tx: Tx) => Promise<T>) =>
    fixture.service.workerDb.transact(
      { orgId: fixture.label.orgId as Id<'org'>, actor: { type: 'workflow', id: 'test' } },
      work,
    );
  const statusOf = async (id: string): Promise<string> => (await fixture.get(id)).status;

  test('wake each lane once, and all are applied', async () => {
    const answered = deliveries.slice(0, 8);
    await record(answered);
    const wakes = await countWakes();
    assert.ok(wakes <= 2, `${wakes} messages`);
    await fixture.runUntilIdle();
    for (const id of answered) assert.equal(await statusOf(id), 'delivered');
    assert.deepEqual(await fixture.service.query('select id from store_answers'), []);
  });

  test('wake a lane again only when its handler has begun, or the message may be lost', async () => {
    const { query } = fixture.service;
    const { id } = await fixture.givenDelivery();
    await record([id], undefined, acknowledgedAnswer);
    await record([id], undefined, acknowledgedAnswer);
    assert.equal(await countWakes(), 1);
    await letWakesAge();
    await record([id], undefined, acknowledgedAnswer);
    assert.equal(await countWakes(), 2, 'the first message may be lost');
    await record([id], undefined, acknowledgedAnswer);
    assert.equal(await countWakes(), 2);
    await fixture.runUntilIdle();
    assert.deepEqual(await query('select * from answer_wakes'), []);
    await record([id]);
    assert.equal(await countWakes(), 1);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'delivered');
  });

  test('that are recorded while a step has read those before them wake the lane', async () => {
    const { id } = await fixture.givenDelivery();
    await record([id], undefined, acknowledgedAnswer);
    await inStep(async (tx) => {
      await applyArrivedAnswers(tx, { index: 0, lanes: 1 }, null);
      await record([id]);
      assert.equal(await countWakes(), 2);
    });
    assert.equal(await statusOf(id), 'in_progress');
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'delivered');
  });

  test('wake the lane again after a step that was rolled back', async () => {
    const { id } = await fixture.givenDelivery();
    await record([id], undefined, acknowledgedAnswer);
    await assert.rejects(
      inStep(async (tx) => {
        await applyArrivedAnswers(tx, { index: 0, lanes: 1 }, null);
        throw new Error('the connection is lost');
      }),
    );
    await record([id]);
    assert.equal(await countWakes(), 2);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'delivered');
  });

  test('that a process recorded whose clock is ahead are applied', async () => {
    const { workerDb: db, clock } = fixture.service;
    const { id } = await fixture.givenDelivery();
    await record([id], undefined, acknowledgedAnswer);
    const ahead = { now: () => addMs(clock.now(), minuteMs) };
    const messageId = await fixture.latestMessageId(id, 'aurora');
    await recordAnswers({ db, clock: ahead, newId: createIds(ahead) }, [
      { messageId, ...deliveredAnswer },
    ]);
    assert.equal(await countWakes(), 1);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'delivered');
  });

  test('whose message was never sent are applied after 30 seconds', async () => {
    const { query, workerDb: db, clock } = fixture.service;
    const { id } = await fixture.givenDelivery();
    await record([id]);
    await query(`delete from outbox where service = 'delivery-answers'`);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'in_progress');
    await clock.set(addMs(clock.now(), 31_000).toISOString());
    await letWakesAge();
    assert.equal(await requeueStaleAnswers({ db, clock, newId: createIds(clock) }), 1);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(id), 'delivered');
  });

  test('that are too many for one run of a lane are left to the next, which continues', async () => {
    const { orgId } = fixture.label;
    const sent: EngineMessage[] = [];
    let steps = 0;
    await apply({
      key: `${orgId}-1`,
      step: async () => {
        steps++;
        return deliveries[0];
      },
      send: (message: EngineMessage) => void sent.push(message),
    } as unknown as HandlerContext);
    assert.equal(steps, 200);
    const entityRef = `${orgId}:${deliveries[0]}`;
    assert.deepEqual(sent, [
      { service: 'delivery-answers', key: `${orgId}-1`, handler: 'apply', entityRef },
    ]);
  });

  test('of earlier deliveries are not read by a run that continues', async () => {
    const { orgId } = fixture.label;
    const given = [(await fixture.givenDelivery()).id, (await fixture.givenDelivery()).id];
    // The clock stands still, so ids do not sort by creation.
    const [earlier, later] = given.toSorted((a, b) => (a < b ? -1 : 1)) as [string, string];
    await record([earlier, later]);
    for (const lane of [0, 1]) {
      await apply({
        key: `${orgId}-${lane}`,
        entityRef: `${orgId}:${earlier}`,
        step: (_name: string, _owner: unknown, work: (tx: Tx) => Promise<unknown>) => inStep(work),
      } as unknown as HandlerContext);
    }
    assert.equal(await statusOf(later), 'delivered');
    assert.equal(await statusOf(earlier), 'in_progress');
    await fixture.runUntilIdle();
    assert.equal(await statusOf(earlier), 'delivered');
  });

  /** Contract §3: a release is rejected once every store of every delivery is, so the last answer must see all others. */
  test('of one release are applied one after the other, and its status counts them all', async () => {
    const first = await fixture.givenDelivery();
    const others = ['cascade', 'indigo'].map(async (store) => {
      const { json } = await fixture.post('', {
        release_id: first.release_id,
        stores: [store],
        territory_codes: ['WORLDWIDE'],
      });
      return { id: json.id as string, store };
    });
    const all = [{ id: first.id as string, store: 'aurora' }, ...(await Promise.all(others))];
    await fixture.runUntilIdle();
    await record(
      all.map(({ id }) => id),
      (id) => all.find((each) => each.id === id)?.store,
      rejectedAnswer,
    );
    await fixture.runUntilIdle();
    for (const { id } of all) assert.equal(await statusOf(id), 'rejected');
    assert.equal((await fixture.releaseOf(first.release_id)).status, 'rejected');
  });

  test('of a delivery that fails stay, and the others are applied', async () => {
    const { query } = fixture.service;
    const [failing = '', ...others] = deliveries.slice(8);
    await query(`create function refuse() returns trigger language plpgsql as
                 $$ begin raise exception 'refused'; end $$`);
    await query(
      `create trigger refuse before update on deliveries for each row
         when (new.id = '${toUuid(failing as Id<'dlv'>)}') execute function refuse()`,
    );
    await record([failing, ...others]);
    await fixture.runUntilIdle();
    for (const id of others) assert.equal(await statusOf(id), 'delivered');
    assert.equal(await statusOf(failing), 'in_progress');
    assert.equal((await query('select id from store_answers')).length, 1);

    await query('drop function refuse() cascade');
    // It is requeued after 30 seconds, alone.
    await record([failing]);
    await fixture.runUntilIdle();
    assert.equal(await statusOf(failing), 'delivered');
    assert.deepEqual(await query('select id from store_answers'), []);
  });

  test('that wait for another lane are rolled back as a whole, and applied when the step is repeated', async () => {
    const { query } = fixture.service;
    const deadlocked = [(await fixture.givenDelivery()).id, (await fixture.givenDelivery()).id];
    await query('create sequence tries');
    await query('grant usage on sequence tries to public');
    await query(`create function deadlock_once() returns trigger language plpgsql as
                 $$ begin
                   if nextval('tries') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
                   return new;
                 end $$`);
    await query(
      'create trigger deadlock_once before update on deliveries for each row execute function deadlock_once()',
    );
    await record(deadlocked);
    const step = () => inStep((tx) => applyArrivedAnswers(tx, { index: 0, lanes: 1 }, null));
    await assert.rejects(step(), { code: '40P01' });
    assert.equal((await query('select id from store_answers')).length, 2);
    await step();
    assert.deepEqual(await query('select id from store_answers'), []);
    for (const id of deadlocked) assert.equal(await statusOf(id), 'delivered');
    await query('drop function deadlock_once() cascade');
  });
});
