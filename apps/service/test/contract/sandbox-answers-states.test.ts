/** Each answer a partner gives for a store, in each state it can be in: contract §3, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

const answers = ['delivered', 'rejected', 'action_required', 'removed', 'removal_refused'] as const;
type Answer = (typeof answers)[number];

const said = { code: 'said', reason: 'So I said.' };
const bodyOf = (answer: Answer): object => ({
  answer,
  ...(['rejected', 'action_required', 'removal_refused'].includes(answer) && said),
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

  const say = async ({ id }: Json, answer: Answer): Promise<Json> => {
    const { status, json, text } = await partner.answer(id, 'aurora', bodyOf(answer));
    assert.equal(status, 200, text);
    await sandbox.runUntilIdle();
    return json;
  };
  const request = async (delivery: Json, action: string, isTurned = true): Promise<Json> => {
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/${action}`, {});
    if (isTurned) await sandbox.runUntilIdle();
    return partner.delivery(delivery.id);
  };
  const sent = () => partner.givenDelivery();
  const live = async () => say(await sent(), 'delivered');
  const changed = async (): Promise<Json> => {
    const delivery = await live();
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    return delivery;
  };
  /** Where each answer leads; what is not named is refused. Statuses of the store. */
  const states: readonly [
    state: string,
    make: () => Promise<Json>,
    ways: Partial<Record<Answer, string>>,
  ][] = [
    [
      'in_progress',
      sent,
      { delivered: 'delivered', rejected: 'rejected', action_required: 'action_required' },
    ],
    [
      'action_required',
      async () => {
        const delivery = await sent();
        const flag = { answer: 'action_required', code: 'other', reason: 'Before.' };
        return (await partner.answer(delivery.id, 'aurora', flag)).json;
      },
      { delivered: 'delivered', rejected: 'rejected', action_required: 'action_required' },
    ],
    [
      'action_required, by the same words',
      async () => say(await sent(), 'action_required'),
      { delivered: 'delivered', rejected: 'rejected' },
    ],
    ['delivered', live, {}],
    ['rejected', async () => say(await sent(), 'rejected'), {}],
    [
      'delivered, an update sent',
      async () => request(await changed(), 'update'),
      { delivered: 'delivered', rejected: 'delivered', action_required: 'delivered' },
    ],
    [
      'takedown_requested',
      async () => request(await live(), 'takedown'),
      { removed: 'taken_down', removal_refused: 'delivered' },
    ],
    ['taken_down', async () => say(await request(await live(), 'takedown'), 'removed'), {}],
    [
      'in_progress, wanted down',
      async () => request(await sent(), 'takedown'),
      { delivered: 'takedown_requested', rejected: 'rejected', action_required: 'action_required' },
    ],
  ];

  for (const [state, make, ways] of states) {
    for (const answer of answers) {
      const to = ways[answer];
      if (to !== undefined) {
        test(`contract §3: ${state}: ${answer} → ${to}, heard at once`, async () => {
          const delivery = await make();
          const { status, json, headers } = await partner.answer(
            delivery.id,
            'aurora',
            bodyOf(answer),
          );
          assert.deepEqual([status, json.stores[0].status], [200, to]);
          assert.notEqual(headers.get('etag'), null);
          assert.deepEqual(await partner.delivery(delivery.id), json, 'as it is then');
          if ('code' in bodyOf(answer)) {
            assert.deepEqual(
              [json.stores[0].rejection_code, json.stores[0].rejection_reason],
              Object.values(said),
            );
          }
          await sandbox.runUntilIdle();
        });
      } else {
        test(`contract §3, §7: ${state}: ${answer} → 409 invalid_state, and no trace`, async () => {
          const delivery = await make();
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

  /** Of what was not sent: a clock that stands still keeps it so. */
  const unsents: readonly [state: string, make: () => Promise<Json>][] = [
    ['pending', async () => partner.deliver(await partner.submit(), ['aurora'])],
    [
      'taken_down before it was sent',
      async () =>
        request(await partner.deliver(await partner.submit(), ['aurora']), 'takedown', false),
    ],
  ];
  for (const [state, make] of unsents) {
    test(`contract §3: ${state}: the store was sent nothing it could answer`, async () => {
      await partner.setMode('manual');
      const delivery = await make();
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

  for (const [what, action, before_] of [
    ['an update that was not sent', 'update', changed],
    ['a takedown that was not sent', 'takedown', live],
  ] as const) {
    test(`contract §3: ${what}: nothing it could answer`, async () => {
      const delivery = await before_();
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
