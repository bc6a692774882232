/** An HTTP client for thousands of requests: one pool of connections to one process. */

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

const responseTimeoutMs = 30_000;

export function openClient(url: string, connections = 64): Client {
  const pool = new Pool(url, {
    connections,
    headersTimeout: responseTimeoutMs,
    bodyTimeout: responseTimeoutMs,
  });
  return {
    close: () => pool.destroy(),
    send: async ({ method, path, key, body, headers }) => {
      const response = await pool.request({
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
        status: response.statusCode,
        headers: response.headers,
        text: await response.body.text(),
      };
    },
  };
}

/** Runs `concurrency` loops side by side. Each calls `work` with its index until that returns false. */
export async function runConcurrently(
  concurrency: number,
  work: (loop: number) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: concurrency }, async (_, loop) => {
      while (await work(loop));
    }),
  );
}
