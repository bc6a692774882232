/**
 * A rail that speaks HTTP:
 *
 *   PUT /payments/{key}           {amount, currency, details, simulation?} → {status: accepted | refused, …}
 *   GET /payments/{key}?now=…     → {status: in_transit | confirmed | bounced | refused, …}, or 404 {status: not_found}
 *
 * The same key with the same payment has the same answer, with another payment 409. Everything but these answers is an
 * error, because it does not say what has become of the payment: a timeout, a broken connection, a redirect, a 5xx.
 */

import { Pool } from 'undici';
import { isCalendarDate } from '../../kernel/calendar-date.ts';
import type { AskOutcome, PayoutRail, RailPayment, SendOutcome } from './payout-rail.ts';

const connectionsMax = 16;
const connectTimeoutMs = 3_000;
const railTimeoutMs = 15_000;
const answerBytesMax = 65_536;
/** Of texts that the rail chooses. */
const textLengthMax = 200;

export type HttpRail = Pick<PayoutRail, 'send' | 'ask'> & { readonly close: () => Promise<void> };

export function openHttpRail(url: string, timeoutMs = railTimeoutMs): HttpRail {
  const pool = new Pool(new URL(url).origin, {
    connections: connectionsMax,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: answerBytesMax,
    connect: { timeout: connectTimeoutMs },
  });
  const pathPrefix = new URL(url).pathname.replace(/\/$/, '');
  const exchange = async (options: Exchange, signal: AbortSignal): Promise<RailAnswer> => {
    const { statusCode, body } = await pool.request({
      ...options,
      path: `${pathPrefix}${options.path}`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = await body.text();
    if (statusCode !== 200 && statusCode !== 404) {
      throw new Error(`the rail answered ${statusCode}`);
    }
    return parseAnswer(text, statusCode);
  };
  return {
    send: async (payment, signal) =>
      toSendOutcome(
        await exchange(
          {
            method: 'PUT',
            path: `/payments/${payment.key}`,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(toBody(payment)),
          },
          signal,
        ),
      ),
    ask: async (key, now, signal) => {
      const path = `/payments/${key}?now=${now.toISOString()}`;
      return toAskOutcome(await exchange({ method: 'GET', path }, signal));
    },
    close: () => pool.close(),
  };
}

type Exchange = {
  readonly method: 'PUT' | 'GET';
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
};

const toBody = ({ amount, currency, details, simulation }: RailPayment) => ({
  amount,
  currency,
  details,
  ...(simulation !== undefined && {
    simulation: {
      outcome: simulation.outcome,
      code: simulation.code,
      after_ms: simulation.afterMs,
      sent_at: simulation.sentAt,
    },
  }),
});

type RailAnswer = {
  readonly status?: unknown;
  readonly reference?: unknown;
  readonly arrives_on?: unknown;
  readonly code?: unknown;
};

/** A 404 of anything but the rail itself does not say that the rail does not know the payment. */
function parseAnswer(text: string, statusCode: number): RailAnswer {
  const answer = parseJson(text);
  if (typeof answer !== 'object' || answer === null) throw unreadable();
  const { status } = answer as RailAnswer;
  if ((statusCode === 404) !== (status === 'not_found')) throw unreadable();
  return answer;
}

/** Its own error would quote the text, which may contain details of the payment. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

function toSendOutcome(answer: RailAnswer): SendOutcome {
  switch (answer.status) {
    case 'accepted':
      return { outcome: answer.status, ...sentOf(answer) };
    case 'refused':
      return { outcome: answer.status, code: textOf(answer.code) };
    default:
      throw unreadable();
  }
}

function toAskOutcome(answer: RailAnswer): AskOutcome {
  switch (answer.status) {
    case 'in_transit':
    case 'confirmed':
      return { outcome: answer.status, ...sentOf(answer) };
    case 'bounced':
      return { outcome: answer.status, code: textOf(answer.code), ...sentOf(answer) };
    case 'refused':
      return { outcome: answer.status, code: textOf(answer.code) };
    case 'not_found':
      return { outcome: answer.status };
    default:
      throw unreadable();
  }
}

function sentOf({ reference, arrives_on }: RailAnswer) {
  const arrivesOn = textOf(arrives_on);
  if (!isCalendarDate(arrivesOn)) throw unreadable();
  return { reference: textOf(reference), arrivesOn };
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > textLengthMax) throw unreadable();
  return value;
}

const unreadable = (): Error => new Error('the answer of the rail could not be read');
