import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './answer.ts';
import type { Server } from './fastify-types.ts';
import type { Operation } from './operation.ts';
import { register, send } from './register.ts';

export type FormRequest = {
  readonly headers: IncomingHttpHeaders;
  /** As they were sent, repeated ones included. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly docsOrigin: string;
};

type FormOperation = Operation<undefined, undefined, undefined> &
  Required<Pick<Operation<undefined, undefined, undefined>, 'form' | 'bodyBytesMax' | 'effect'>>;

/** A public route that accepts a form. It has no caller and no idempotency key. */
export async function form(
  server: Server,
  operation: FormOperation,
  handle: (request: FormRequest) => Promise<Answer>,
): Promise<void> {
  // In a separate Fastify context: elsewhere only JSON is parsed.
  await server.register(async (context) => {
    context.removeAllContentTypeParsers();
    context.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request: unknown, text: string) => [...new URLSearchParams(text)],
    );
    register(context, operation, async (request, reply) => {
      const { headers, body } = request;
      // Without a body, no parser has run.
      const pairs = Array.isArray(body) ? (body as FormRequest['pairs']) : [];
      return send(
        reply,
        await handle({ headers, pairs, docsOrigin: server.publicOriginOf(request) }),
      );
    });
  });
}
