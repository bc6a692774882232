import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { TObject } from 'typebox';
import type { Answer } from './answer.ts';
import type { Caller } from './caller.ts';
import type { Server } from './fastify-types.ts';
import type { Operation } from './operation.ts';
import { inputOf, register, send } from './register.ts';

export type ReceivedRequest = {
  readonly owner: Caller;
  readonly headers: IncomingHttpHeaders;
  /** The exact bytes that were sent. */
  readonly body: Buffer;
  /** Closes when the sender hangs up or has its answer. */
  readonly connection: ServerResponse;
};

type Receiver<Params extends TObject> = Operation<Params, undefined, undefined> &
  Required<Pick<Operation<Params, undefined, undefined>, 'ownerOf' | 'effect'>>;

/** A route that accepts a body of any type and does not parse it. */
export async function receive<Params extends TObject>(
  server: Server,
  operation: Receiver<Params>,
  handle: (receipt: ReceivedRequest) => Promise<Answer>,
): Promise<void> {
  // In a separate Fastify context: elsewhere only JSON is parsed.
  await server.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => bytes,
    );
    register(context, operation, async (request, reply) => {
      const { caller } = inputOf<Params, undefined, undefined>(request);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const receipt = { owner: caller, headers: request.headers, body, connection: reply.raw };
      return send(reply, await handle(receipt));
    });
  });
}
