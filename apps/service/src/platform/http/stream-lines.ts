import { Readable } from 'node:stream';
import type { TObject } from 'typebox';
import type { Server } from './fastify-types.ts';
import type { Input, Operation } from './operation.ts';
import { inputOf, register } from './register.ts';

type Lines = {
  readonly headers: Readonly<Record<string, string>>;
  /** Asked for the next piece when the caller has taken the one before. */
  readonly lines: AsyncIterable<string>;
};

/**
 * A route that only reads, and answers with any number of lines: they are never in memory together. If a piece cannot be
 * read, the connection is closed in the middle of the body, which the caller notices.
 */
export function streamLines<Params extends TObject | undefined, Query extends TObject | undefined>(
  server: Server,
  operation: Operation<Params, Query, undefined> & { readonly mediaType: string },
  handle: (input: Input<Params, Query, undefined>) => Promise<Lines>,
): void {
  register(server, operation, async (request, reply) => {
    const { headers, lines } = await handle(inputOf<Params, Query, undefined>(request));
    return reply
      .code(200)
      .headers(headers)
      .header('content-type', `${operation.mediaType}; charset=utf-8`)
      .send(Readable.from(lines));
  });
}
