import { finished, Readable } from 'node:stream';
import type { TObject } from 'typebox';
import { hourMs } from '../../kernel/duration.ts';
import type { Server } from './fastify-types.ts';
import type { Input, Operation } from './operation.ts';
import type { Places } from './places.ts';
import { inputOf, register } from './register.ts';

type Lines = {
  readonly headers: Readonly<Record<string, string>>;
  /** Asked for the next piece when the caller has taken the one before. */
  readonly lines: AsyncIterable<string>;
};

/**
 * A route that only reads, and answers with any number of lines: they are never in memory together. If a piece cannot be
 * read, or the caller takes longer than an hour, the connection is closed in the middle of the body, which the caller notices.
 */
export function streamLines<Params extends TObject | undefined, Query extends TObject | undefined>(
  server: Server,
  openExports: Places,
  operation: Operation<Params, Query, undefined> & { readonly mediaType: string },
  handle: (input: Input<Params, Query, undefined>) => Promise<Lines>,
): void {
  register(server, operation, async (request, reply) => {
    const input = inputOf<Params, Query, undefined>(request);
    const leave = openExports(input.caller);
    const timer = setTimeout(() => reply.raw.destroy(), hourMs);
    // Also if the caller has closed the connection, before or after.
    finished(reply.raw, () => {
      clearTimeout(timer);
      leave();
    });
    const { headers, lines } = await handle(input);
    return reply
      .code(200)
      .headers(headers)
      .header('content-type', `${operation.mediaType}; charset=utf-8`)
      .send(Readable.from(lines));
  });
}
