/** The engine's ingress, which accepts messages. Only this file calls it. */

import { errors, Pool } from 'undici';
import type { EngineMessage } from './outbox.ts';

export type Ingress = {
  /** Resolves once the engine has the message durably; the same id is accepted once. */
  readonly send: (
    id: string,
    message: EngineMessage,
    options?: SendOptions,
  ) => Promise<SendReceipt>;
  /** The outcome of a sent message: `failed` if its handler gave up or was killed. */
  readonly readStatus: (receipt: SendReceipt) => Promise<'running' | 'done' | 'failed'>;
  /** Resolves once the handler has ended. */
  readonly call: (message: EngineMessage, timeoutMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

type SendReceipt = {
  readonly invocationId: string;
  /** False if the same id was accepted before. */
  readonly isNew: boolean;
};

type SendOptions = {
  readonly delayMs?: number;
  readonly timer?: string | undefined;
  readonly traceParent?: string | undefined;
};

/** The headers of a message: its timer, the row it is about, and that a caller waits for all that it sends. */
export const timerHeader = 'x-tonearm-timer';
export const entityRefHeader = 'x-tonearm-entity-ref';
export const callerWaitsHeader = 'x-tonearm-caller-waits';

const connectionsMax = 64;
const sendTimeoutMs = 4_000;

export function openIngress(url: string, answerTimeoutMs = sendTimeoutMs): Ingress {
  const pool = new Pool(url, {
    connections: connectionsMax,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    connect: { timeout: 2_000 },
  });
  return {
    close: () => pool.close(),
    call: async (message, timeoutMs) => {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: pathOf('call', message),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await body.dump();
      if (statusCode >= 300) throw refused(statusCode, message, '');
    },
    send: async (id, message, { delayMs = 0, timer, traceParent } = {}) => {
      const { statusCode, text } = await requestText(pool, {
        method: 'POST',
        path: `${pathOf('send', message)}${delayMs > 0 ? `?delay=${delayMs}ms` : ''}`,
        headers: {
          'idempotency-key': id,
          ...(timer !== undefined && { [timerHeader]: timer }),
          ...(message.entityRef !== undefined && { [entityRefHeader]: message.entityRef }),
          ...(traceParent !== undefined && { traceparent: traceParent }),
        },
      });
      // 404 too: just after a registration the engine may not know the service yet.
      if (statusCode !== 202 && statusCode !== 200) throw refused(statusCode, message, text);
      const { invocationId, status } = JSON.parse(text) as Acceptance;
      return { invocationId, isNew: status === 'Accepted' };
    },
    readStatus: async ({ invocationId }) => {
      const { statusCode, headers, body } = await pool.request({
        method: 'GET',
        path: `/restate/invocation/${invocationId}/output`,
      });
      await body.dump();
      if (statusCode < 300) return 'done';
      if (statusCode === notReady) return 'running';
      if (headers['x-restate-error-source'] === 'invocation') return 'failed';
      throw new Error(
        `the engine answered ${statusCode} when asked for the output of ${invocationId}`,
      );
    },
  };
}

/** Throws an `EngineTimeout` if the engine accepted the connection and did not answer in time. */
async function requestText(pool: Pool, options: Parameters<Pool['request']>[0]) {
  try {
    const { statusCode, body } = await pool.request(options);
    return { statusCode, text: await body.text() };
  } catch (error) {
    const isTimeout =
      error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
    throw isTimeout ? new EngineTimeout('the engine did not answer in time') : error;
  }
}

type Acceptance = {
  readonly invocationId: string;
  readonly status: 'Accepted' | 'PreviouslyAccepted';
};

/** Restate's status for an invocation that has not ended yet. */
const notReady = 470;

const pathOf = (mode: 'send' | 'call', { service, key, handler }: EngineMessage): string =>
  `/restate/${mode}/${[service, key, handler].map(encodeURIComponent).join('/')}`;

/** The engine answered and did not accept the message: for example, no such handler is registered. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal';
}

/** The engine may have the message or not: it is sent again with the same id. */
export class EngineTimeout extends Error {
  override readonly name = 'EngineTimeout';
}

const refused = (status: number, { service, handler }: EngineMessage, text: string) =>
  new EngineRefusal(
    `the engine answered ${status} to ${service}/${handler}: ${text.slice(0, 200)}`,
  );
