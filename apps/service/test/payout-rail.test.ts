/** The sandbox rail as the client of rails sees it: one payment per key, whatever happens in between (ADR 0036). */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { systemClock } from '../src/kernel/clock.ts';
import { type HttpRail, openHttpRail } from '../src/money/connectors/http-rail.ts';
import type { PaymentSimulation, RailPayment } from '../src/money/connectors/payout-rail.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { kill, type RailProcess, runToExit, startRail } from './processes.ts';
import { listPayments, testIban } from './rail-fixture.ts';

const newId = createIds(systemClock);
const { signal } = new AbortController();
const sentAt = '2026-11-16T12:00:00.000Z';
const later = (days: number) => new Date(Date.parse(sentAt) + days * 86_400_000);

describe('the sandbox rail', () => {
  let folder: string;
  let server: RailProcess;
  let rail: HttpRail;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tonearm-rail-'));
    server = await startRail(join(folder, 'rail.jsonl'));
    rail = openHttpRail(server.url, 10_000);
  });
  after(async () => {
    await rail.close();
    await kill(server);
    rmSync(folder, { recursive: true, force: true });
  });
  let payment: RailPayment;
  const scripted = (simulation: Partial<PaymentSimulation>): RailPayment => ({
    ...payment,
    simulation: { outcome: 'accept', code: 'account_closed', afterMs: 0, sentAt, ...simulation },
  });
  beforeEach(() => {
    payment = {
      key: newId('pay'),
      amount: '12.50',
      currency: 'EUR',
      details: { kind: 'iban', accountHolder: 'Test Records', iban: testIban },
    };
  });
  const send = (each: RailPayment) => rail.send(each, signal);
  const ask = (now = later(0)) => rail.ask(payment.key, now, signal);
  const paymentsMade = async () =>
    (await listPayments(server.url)).find(({ key }) => key === payment.key)?.payments_made;
  const restart = async () => {
    const { port } = new URL(server.url);
    await kill(server);
    server = await startRail(join(folder, 'rail.jsonl'), Number(port));
  };

  test('accepts a payment, which arrives on the next business day and is confirmed at noon', async () => {
    assert.deepEqual(await ask(), { outcome: 'not_found' });
    const accepted = await send(scripted({}));
    assert.equal(accepted.outcome, 'accepted');
    assert.equal('arrivesOn' in accepted && accepted.arrivesOn, '2026-11-17');
    assert.equal((await ask()).outcome, 'in_transit');
    assert.equal((await ask(new Date('2026-11-17T11:59:59.999Z'))).outcome, 'in_transit');
    assert.equal((await ask(later(1))).outcome, 'confirmed');
  });

  test('pays the same key once, however often it is sent, also at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(scripted({}))));
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    const again = scripted({ outcome: 'refuse', sentAt: later(3).toISOString() });
    assert.deepEqual(await send(again), answers[0], 'the script is no part of the payment');
    assert.equal(await paymentsMade(), 1);
  });

  test('refuses another payment under the same key', async () => {
    await send(scripted({}));
    const details = { ...payment.details, iban: 'DE00' } as RailPayment['details'];
    for (const other of [{ amount: '12.51' }, { currency: 'USD' as const }, { details }]) {
      await assert.rejects(send({ ...scripted({}), ...other }), /the rail answered 409/);
    }
    assert.equal(await paymentsMade(), 1);
  });

  test('refuses a payment, and says the same each time', async () => {
    const refusal = { outcome: 'refused', code: 'limit_exceeded' };
    const refused = scripted({ outcome: 'refuse', code: 'limit_exceeded' });
    assert.deepEqual(await send(refused), refusal);
    assert.deepEqual(await send(refused), refusal);
    assert.deepEqual(await ask(), refusal);
    assert.equal(await paymentsMade(), 0);
  });

  test('an unknown outcome: it pays and breaks the connection, and answers when it is asked', async () => {
    await assert.rejects(send(scripted({ outcome: 'unknown' })));
    assert.equal((await ask()).outcome, 'in_transit');
    assert.equal((await send(scripted({}))).outcome, 'accepted');
    assert.equal(await paymentsMade(), 1);
  });

  test('a slow answer comes; an answer that is slower than the timeout is unknown', async () => {
    assert.equal((await send(scripted({ outcome: 'slow', afterMs: 200 }))).outcome, 'accepted');
    payment = { ...payment, key: newId('pay') };
    const impatient = openHttpRail(server.url, 1_000);
    const slow = scripted({ outcome: 'slow', afterMs: 5_000 });
    await assert.rejects(impatient.send(slow, signal), /timeout|aborted/i);
    await impatient.close();
    assert.equal((await ask()).outcome, 'in_transit');
  });

  test('a bounce: confirmed first, and it comes back weeks later', async () => {
    await send(scripted({ outcome: 'bounce', afterMs: 21 * 86_400_000 }));
    assert.equal((await ask(later(20))).outcome, 'confirmed');
    const bounced = await ask(later(21));
    assert.deepEqual(
      [bounced.outcome, 'code' in bounced && bounced.code],
      ['bounced', 'account_closed'],
    );
  });

  test('killed and started again, it knows every payment that it has answered', async () => {
    const answer = await send(scripted({}));
    await restart();
    assert.deepEqual(await send(scripted({})), answer);
    assert.equal(await paymentsMade(), 1);
  });

  test('its journal has no account number', () => {
    const journal = readFileSync(join(folder, 'rail.jsonl'), 'utf8');
    assert.ok(journal.includes(payment.currency));
    assert.ok(!journal.includes(testIban));
    assert.ok(!server.log().includes(testIban));
  });

  test('does not start in live', async () => {
    const { code, stderr } = await runToExit(['rail'], { TONEARM_ENVIRONMENT: 'live' });
    assert.equal(code, 1);
    assert.match(stderr, /TONEARM_ENVIRONMENT must be sandbox: the scripted rail pays nobody/);
  });
});

describe('the client of a rail', () => {
  const answers: { status: number; body: string; location?: string }[] = [];
  const server = createServer((_request, response) => {
    const { status, body, location } = answers.shift() ?? { status: 500, body: '' };
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  let rail: HttpRail;
  before(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    rail = openHttpRail(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1_000);
  });
  after(async () => {
    await rail.close();
    server.close();
  });

  const strange: readonly [what: string, status: number, body: string][] = [
    ['a 5xx', 503, '{"status":"accepted"}'],
    ['a redirect, which it does not follow', 302, ''],
    ['a 404 of something else, which is not “not found”', 404, '<html>'],
    ['a 404 in JSON that says something else', 404, '{"status":"error"}'],
    ['“not found” with status 200', 200, '{"status":"not_found"}'],
    ['text', 200, 'ok'],
    ['a status that it does not know', 200, '{"status":"maybe"}'],
    ['no reference', 200, '{"status":"in_transit","arrives_on":"2026-11-17"}'],
    ['a date that is none', 200, '{"status":"in_transit","reference":"r","arrives_on":"soon"}'],
    ['a refusal without a code', 200, '{"status":"refused"}'],
  ];
  for (const [what, status, body] of strange) {
    test(`takes for an unknown outcome: ${what}`, async () => {
      answers.push({ status, body, location: '/elsewhere' });
      await assert.rejects(rail.ask(newId('pay'), new Date(sentAt), signal));
      assert.deepEqual(answers, [], 'it asked once');
    });
  }
});
