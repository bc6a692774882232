/** Each answer that a partner can give for a store, in each status of the store: contract §3, §4, §7, catalogue §1.2. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { answerKinds, canNameRelease } from '../../src/delivery/domain/applicable-answers.ts';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

type Answer = (typeof answerKinds)[number];

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

  const giveAnswer = async ({ id }: Json, answer: Answer, more: object = {}): Promise<Json> => {
    const { status, json, text } = await partner.answer(id, 'aurora', {
      ...bodyOf(answer),
      ...more,
    });
    assert.equal(status, 200, text);
    await sandbox.runUntilIdle();
    return json;
  };
  const request = async (delivery: Json, action: string, runsWorker = true): Promise<Json> => {
    await partner.ask('POST', `/v1/deliveries/${delivery.id}/${action}`, {});
    if (runsWorker) await sandbox.runUntilIdle();
    return partner.delivery(delivery.id);
  };
  /** The clock is frozen, so the message of the request is not sent. */
  const requestUnsent = async (delivery: Json, action: string): Promise<Json> => {
    await partner.setMode('manual');
    return request(delivery, action, false);
  };
  const givenSent = () => partner.givenDelivery();
  const givenLive = async () => giveAnswer(await givenSent(), 'delivered');
  const givenChanged = async (): Promise<Json> => {
    const delivery = await givenLive();
    await partner.ask('PATCH', `/v1/releases/${delivery.release_id}`, { title: 'Night Driver' });
    return delivery;
  };
  const otherFlag = { code: 'other', reason: 'Before.' };
  const sendTitle = async () => request(await givenChanged(), 'update');

  /** For each state the new status of the store by answer; an answer that is not listed is refused. */
  const states: readonly [
    state: string,
    given: () => Promise<Json>,
    statusByAnswer: Partial<Record<Answer, string>>,
    about?: string,
  ][] = [
    [
      'in_progress',
      givenSent,
      {
        acknowledged: 'in_progress',
        delivered: 'delivered',
        rejected: 'rejected',
        action_required: 'action_required',
      },
    ],
    [
      'in_progress, with a receipt',
      async () => giveAnswer(await givenSent(), 'acknowledged'),
      { delivered: 'delivered', rejected: 'rejected', action_required: 'action_required' },
    ],
    [
      'action_required',
      async () => giveAnswer(await givenSent(), 'action_required', otherFlag),
      {
        acknowledged: 'action_required',
        delivered: 'delivered',
        rejected: 'rejected',
        action_required: 'action_required',
      },
    ],
    [
      'action_required, with the same code and reason',
      async () => giveAnswer(await givenSent(), 'action_required'),
      { acknowledged: 'action_required', delivered: 'delivered', rejected: 'rejected' },
    ],
    [
      'delivered',
      givenLive,
      { acknowledged: 'delivered', action_required: 'action_required', removed: 'taken_down' },
    ],
    [
      'action_required after delivered',
      async () => giveAnswer(await givenLive(), 'action_required', otherFlag),
      {
        acknowledged: 'action_required',
        delivered: 'delivered',
        rejected: 'rejected',
        action_required: 'action_required',
        removed: 'taken_down',
      },
    ],
    ['rejected', async () => giveAnswer(await givenSent(), 'rejected'), { delivered: 'delivered' }],
    [
      'delivered, an update sent',
      sendTitle,
      {
        acknowledged: 'delivered',
        delivered: 'delivered',
        rejected: 'delivered',
        action_required: 'delivered',
        removed: 'taken_down',
      },
    ],
    [
      'delivered, an update sent, about the release',
      sendTitle,
      { action_required: 'action_required', removed: 'taken_down' },
      'release',
    ],
    [
      'delivered, an update not sent',
      async () => requestUnsent(await givenChanged(), 'update'),
      { action_required: 'action_required', removed: 'taken_down' },
    ],
    [
      'takedown_requested',
      async () => request(await givenLive(), 'takedown'),
      { acknowledged: 'takedown_requested', removed: 'taken_down', removal_refused: 'delivered' },
    ],
    [
      'takedown_requested, not sent',
      async () => requestUnsent(await givenLive(), 'takedown'),
      { removed: 'taken_down' },
    ],
    [
      'taken_down',
      async () => giveAnswer(await request(await givenLive(), 'takedown'), 'removed'),
      { delivered: 'takedown_requested' },
    ],
    [
      'taken_down by the store',
      async () => giveAnswer(await givenLive(), 'removed'),
      { delivered: 'takedown_requested' },
    ],
    [
      'in_progress, takedown requested',
      async () => request(await givenSent(), 'takedown'),
      {
        acknowledged: 'in_progress',
        delivered: 'takedown_requested',
        rejected: 'taken_down',
        action_required: 'action_required',
      },
    ],
    [
      'pending',
      async () => {
        await partner.setMode('manual');
        return partner.deliver(await partner.submit(), ['aurora']);
      },
      {},
    ],
    [
      'taken_down before it was sent',
      async () => {
        await partner.setMode('manual');
        return request(
          await partner.deliver(await partner.submit(), ['aurora']),
          'takedown',
          false,
        );
      },
      {},
    ],
  ];

  /** The answers that a refusal names. */
  const applicableIn = (message: string): readonly string[] => {
    const [, list] = /Answers that apply now: (.*)\.$/.exec(message) ?? [];
    return list?.split(', ').map((each) => each.replace(' with another code or reason', '')) ?? [];
  };
  const letClockRun = async () => {
    await partner.setMode('running');
    await sandbox.runUntilIdle();
  };

  for (const [state, given, statusByAnswer, about] of states) {
    for (const answer of answerKinds) {
      if (about === 'release' && !canNameRelease(answer)) continue;
      const body = { ...bodyOf(answer), ...(about !== undefined && { about }) };
      const to = statusByAnswer[answer];
      if (to !== undefined) {
        test(`contract §3, catalogue §1.2: ${state}: ${answer} → ${to}, applied at once`, async () => {
          const delivery = await given();
          const { status, json, text, headers } = await partner.answer(delivery.id, 'aurora', body);
          assert.equal(status, 200, text);
          assert.equal(json.stores[0].status, to);
          assert.notEqual(headers.get('etag'), null);
          assert.deepEqual(
            await partner.delivery(delivery.id),
            json,
            'the delivery after the answer',
          );
          await letClockRun();
        });
      } else {
        test(`contract §3, §7: ${state}: ${answer} → 409 invalid_state, and no trace`, async () => {
          const delivery = await given();
          const events = (await partner.events()).length;
          const reply = await partner.answer(delivery.id, 'aurora', body);
          assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
          const { message } = reply.json.error;
          assert.ok(
            message.startsWith(`The answer ${answer} changes nothing: aurora is `),
            message,
          );
          assert.ok(message.includes(`is ${delivery.stores[0].status}`), message);
          assert.deepEqual(applicableIn(message), [
            ...Object.keys(statusByAnswer),
            ...(state.includes('the same code') ? ['action_required'] : []),
          ]);
          assert.deepEqual(await partner.delivery(delivery.id), delivery);
          assert.equal((await partner.events()).length, events);
          await letClockRun();
        });
      }
    }
  }
});
