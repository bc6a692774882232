/** Each answer that a partner can give for a store, in each status of the store: contract §3, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

const answers = ['delivered', 'rejected', 'action_required', 'removed', 'removal_refused'] as const;
type Answer = (typeof answers)[number];

const rejection = { code: 'partner_code', reason: 'A reason of the partner.' };
const bodyOf = (answer: Answer): object => ({
  answer,
  ...(['rejected', 'action_required', 'removal_refused'].includes(answer) && rejection),
});

describe('an answer for a store', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
    partner = await sandbox.newPartner();
    await partner.addScenario([{ action: 'lose' }], { repeats: true });
  });
  after(() => sandbox.close());

  const giveAnswer = async ({ id }: Json, answer: Answer): Promise<Json> => {
    const { status, json, text } = await partner.answer(id, 'aurora', bodyOf(answer));
    assert.equal(status, 200, text);
    await sandbox.runUntilIdle();
    return json;
  };
  const request = async (delivery: Json, action: string, runsWorker = true): Promise<Json> => {
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/${action}`, {});
    if (runsWorker) await sandbox.runUntilIdle();
    return partner.delivery(delivery.id);
  };
  const givenSent = () => partner.givenDelivery();
  const givenLive = async () => giveAnswer(await givenSent(), 'delivered');
  const givenChanged = async (): Promise<Json> => {
    const delivery = await givenLive();
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    return delivery;
  };
  /** For each state the new status of the store by answer; an answer that is not listed is refused. */
  const states: readonly [
    state: string,
    given: () => Promise<Json>,
    statusByAnswer: Partial<Record<Answer, string>>,
  ][] = [
    [
      'in_progress',
      givenSent,
      { delivered: 'delivered', rejected: 'rejected', action_required: 'action_required' },
    ],
    [
      'action_required',
      async () => {
        const delivery = await givenSent();
        const flag = { answer: 'action_required', code: 'other', reason: 'Before.' };
        return (await partner.answer(delivery.id, 'aurora', flag)).json;
      },
      { delivered: 'delivered', rejected: 'rejected', action_required: 'action_required' },
    ],
    [
      'action_required, with the same code and reason',
      async () => giveAnswer(await givenSent(), 'action_required'),
      { delivered: 'delivered', rejected: 'rejected' },
    ],
    ['delivered', givenLive, {}],
    ['rejected', async () => giveAnswer(await givenSent(), 'rejected'), {}],
    [
      'delivered, an update sent',
      async () => request(await givenChanged(), 'update'),
      { delivered: 'delivered', rejected: 'delivered', action_required: 'delivered' },
    ],
    [
      'takedown_requested',
      async () => request(await givenLive(), 'takedown'),
      { removed: 'taken_down', removal_refused: 'delivered' },
    ],
    [
      'taken_down',
      async () => giveAnswer(await request(await givenLive(), 'takedown'), 'removed'),
      {},
    ],
    [
      'in_progress, takedown requested',
      async () => request(await givenSent(), 'takedown'),
      { delivered: 'takedown_requested', rejected: 'rejected', action_required: 'action_required' },
    ],
  ];

  for (const [state, given, statusByAnswer] of states) {
    for (const answer of answers) {
      const to = statusByAnswer[answer];
      if (to !== undefined) {
        test(`contract §3: ${state}: ${answer} → ${to}, applied at once`, async () => {
          const delivery = await given();
          const { status, json, headers } = await partner.answer(
            delivery.id,
            'aurora',
            bodyOf(answer),
          );
          assert.deepEqual([status, json.stores[0].status], [200, to]);
          assert.notEqual(headers.get('etag'), null);
          assert.deepEqual(
            await partner.delivery(delivery.id),
            json,
            'the delivery after the answer',
          );
          if ('code' in bodyOf(answer)) {
            assert.deepEqual(
              [json.stores[0].rejection_code, json.stores[0].rejection_reason],
              Object.values(rejection),
            );
          }
          await sandbox.runUntilIdle();
        });
      } else {
        test(`contract §3, §7: ${state}: ${answer} → 409 invalid_state, and no trace`, async () => {
          const delivery = await given();
          const events = (await partner.events()).length;
          const reply = await partner.answer(delivery.id, 'aurora', bodyOf(answer));
          assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
          const { message } = reply.json.error;
          assert.ok(
            message.includes(delivery.stores[0].status) && message.includes(answer),
            message,
          );
          await sandbox.runUntilIdle();
          assert.deepEqual(await partner.delivery(delivery.id), delivery);
          assert.equal((await partner.events()).length, events);
        });
      }
    }
  }

  /** Messages that stay unsent while the clock is frozen. */
  const unsentStates: readonly [state: string, given: () => Promise<Json>][] = [
    ['pending', async () => partner.deliver(await partner.submit(), ['aurora'])],
    [
      'taken_down before it was sent',
      async () =>
        request(await partner.deliver(await partner.submit(), ['aurora']), 'takedown', false),
    ],
  ];
  for (const [state, given] of unsentStates) {
    test(`contract §3: ${state}: there is no message that the store could answer`, async () => {
      await partner.setMode('manual');
      const delivery = await given();
      for (const answer of answers) {
        const reply = await partner.answer(delivery.id, 'aurora', bodyOf(answer));
        assert.deepEqual(codeOf(reply), [409, 'invalid_state'], answer);
        assert.match(reply.json.error.message, /no message to answer/);
      }
      assert.deepEqual(await partner.delivery(delivery.id), delivery);
      await partner.setMode('running');
      await sandbox.runUntilIdle();
    });
  }

  for (const [what, action, given] of [
    ['an update that was not sent', 'update', givenChanged],
    ['a takedown that was not sent', 'takedown', givenLive],
  ] as const) {
    test(`contract §3: ${what}: there is no message that the store could answer`, async () => {
      const delivery = await given();
      await partner.setMode('manual');
      const waiting = await request(delivery, action, false);
      for (const answer of answers) {
        const reply = await partner.answer(delivery.id, 'aurora', bodyOf(answer));
        assert.deepEqual(codeOf(reply), [409, 'invalid_state'], answer);
      }
      assert.deepEqual(await partner.delivery(delivery.id), waiting);
      await partner.setMode('running');
      await sandbox.runUntilIdle();
    });
  }
});
