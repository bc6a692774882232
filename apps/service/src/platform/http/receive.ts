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
  /** The exact bytes, whatever they are. */
  readonly body: Buffer;
  /** Closes when the sender has gone, or has been answered. */
  readonly connection: ServerResponse;
};

type Receiver<Params extends TObject> = Operation<Params, undefined, undefined> &
  Required<Pick<Operation<Params, undefined, undefined>, 'ownerOf'>>;

/** A route for other people's messages: of any type, kept as they are, no matter what is in them. */
export async function receive<Params extends TObject>(
  server: Server,
  operation: Receiver<Params>,
  handle: (receipt: ReceivedRequest) => Promise<Answer>,
): Promise<void> {
  // In a context of its own: elsewhere only JSON is understood.
  await server.register(async (apart) => {
    apart.removeAllContentTypeParsers();
    apart.addContentTypeParser<Buffer>(
      '*',
      { parseAs: 'buffer' },
      async (_request: unknown, bytes: Buffer) => bytes,
    );
    register(apart, operation, async (request, reply) => {
      const { caller } = inputOf<Params, undefined, undefined>(request);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const receipt = { owner: caller, headers: request.headers, body, connection: reply.raw };
      return send(reply, await handle(receipt));
    });
  });
}
