/** A client that can be sent in thousands: one pool of connections for each process it speaks to. */

import { Pool } from 'undici';

export type ClientRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ClientResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

export type Client = {
  readonly send: (request: ClientRequest) => Promise<ClientResponse>;
  readonly close: () => Promise<void>;
};

const answerTimeoutMs = 30_000;

export function openClient(url: string, connections = 64): Client {
  const pool = new Pool(url, {
    connections,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  });
  return {
    close: () => pool.destroy(),
    send: async ({ method, path, key, body, headers }) => {
      const answer = await pool.request({
        method,
        path,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: await answer.body.text(),
      };
    },
  };
}

/** Does something again and again in so many lanes at once, until each lane says it is done. */
export async function runConcurrently(
  concurrency: number,
  work: (lane: number) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async (_, lane) => {
      while (await work(lane));
    }),
  );
}
