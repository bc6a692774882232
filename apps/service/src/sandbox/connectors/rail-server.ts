/** The sandbox rail: the scripted bank over HTTP, as `money/connectors/http-rail.ts` calls it. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import { type PaymentSimulation, simulatedOutcomes } from '../../money/face.ts';
import { acceptanceOf, isRefused, statusAt } from '../domain/rail-payment.ts';
import type { Bank, PaymentOrder } from './bank.ts';

const bodyBytesMax = 65_536;
const slowMsMax = 600_000;
const requestTimeoutMs = 30_000;

export function createRailServer(bank: Bank, clock: Clock): Server {
  const server = createServer((request, response) => {
    answer(bank, clock, request, response).catch(() => reply(response, 400, { status: 'error' }));
  });
  server.requestTimeout = requestTimeoutMs;
  return server;
}

async function answer(
  bank: Bank,
  clock: Clock,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://rail.invalid');
  const [, collection, key = ''] = url.pathname.split('/');
  if (collection !== 'payments') return reply(response, 404, { status: 'error' });
  if (request.method === 'PUT' && key !== '') {
    return answerPayment(bank, toOrder(key, await readBody(request), clock), response);
  }
  if (request.method !== 'GET') return reply(response, 405, { status: 'error' });
  if (key === '') return reply(response, 200, { data: listPayments(bank) });
  const payment = bank.find(key);
  if (payment === undefined) return reply(response, 404, { status: 'not_found' });
  const now = url.searchParams.get('now');
  reply(response, 200, statusAt(payment, now === null ? clock.now() : new Date(now)));
}

/** `unknown` and `slow` are about the first answer: a payment that is sent again is answered at once. */
async function answerPayment(
  bank: Bank,
  order: PaymentOrder,
  response: ServerResponse,
): Promise<void> {
  const paid = await bank.pay(order);
  if (paid === undefined) return reply(response, 409, { status: 'conflict' });
  const { payment, isNew } = paid;
  const { outcome, afterMs } = payment.simulation;
  if (isNew && outcome === 'unknown') {
    response.destroy();
    return;
  }
  if (isNew && outcome === 'slow')
    await wait(Math.min(afterMs, slowMsMax), undefined, { ref: false });
  reply(response, 200, acceptanceOf(payment));
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** How often each key was paid: tests and proofs compare it with the payouts. */
const listPayments = (bank: Bank) =>
  [...Map.groupBy(bank.list(), ({ key }) => key).values()].map((lines) => ({
    key: lines[0]?.key,
    amount: lines[0]?.amount,
    currency: lines[0]?.currency,
    payments_made: lines.filter((payment) => !isRefused(payment)).length,
  }));

type PaymentBody = {
  readonly amount: string;
  readonly currency: string;
  readonly details: object;
  readonly simulation?: {
    readonly outcome: PaymentSimulation['outcome'];
    readonly code: string;
    readonly after_ms: number;
    readonly sent_at: string;
  };
};

async function readBody(request: IncomingMessage): Promise<PaymentBody> {
  if (Number(request.headers['content-length'] ?? bodyBytesMax + 1) > bodyBytesMax) {
    throw new RangeError('the body is too large, or its length is unknown');
  }
  const body = (await json(request)) as PaymentBody;
  const { amount, currency, details, simulation } = body;
  const isComplete =
    typeof amount === 'string' && typeof currency === 'string' && typeof details === 'object';
  const isScripted = simulation === undefined || simulatedOutcomes.includes(simulation.outcome);
  if (!isComplete || !isScripted) throw new TypeError('this is not a payment');
  return body;
}

const toOrder = (
  key: string,
  { amount, currency, details, simulation }: PaymentBody,
  clock: Clock,
): PaymentOrder => ({
  key,
  amount,
  currency,
  details,
  simulation: {
    outcome: simulation?.outcome ?? 'accept',
    code: simulation?.code ?? '',
    afterMs: simulation?.after_ms ?? 0,
    sentAt: simulation?.sent_at ?? clock.now().toISOString(),
  },
});
