/**
 * Routes whose body may be JSON or a document of XML. A document becomes the one field of the body that JSON would carry
 * it in, so that validation, idempotency keys and the request log are those of every other route. It is not parsed here.
 */

import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problem.ts';
import type { Server } from './fastify-types.ts';

const mediaTypes = ['application/xml', 'text/xml'];

const decoder = new TextDecoder('utf-8', { fatal: true });

/** `field`: the `xmlField` of the operations that `addRoutes` registers. */
export async function acceptXml(
  server: Server,
  field: string,
  addRoutes: (context: Server) => void,
): Promise<void> {
  // In a separate Fastify context: elsewhere only JSON is parsed.
  await server.register(async (context) => {
    context.addContentTypeParser<Buffer>(
      mediaTypes,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        request.rawBody = bytes;
        return { [field]: decode(bytes) };
      },
    );
    addRoutes(context);
  });
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Problem('invalid_request', 'The body is not valid UTF-8. Encode it as UTF-8.');
  }
}
