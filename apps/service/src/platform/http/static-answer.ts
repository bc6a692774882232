/** A page, script or document that is the same for every client: hashed once, and compressed once for each coding. */

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from './answer.ts';
import { acceptedCoding, type Coding, compressOnce, markCoding } from './compression.ts';

export type StaticAnswer = {
  /** Sets the headers. Returns the bytes, or undefined if the client has them (304). */
  readonly prepare: (request: FastifyRequest, reply: FastifyReply) => Promise<Buffer | undefined>;
};

export function createStaticAnswer(text: string): StaticAnswer {
  const plain = Buffer.from(text);
  const etag = `"${hash('sha256', plain, 'base64url').slice(0, 27)}"`;
  const compressed = new Map<Coding, Promise<Buffer>>();
  const compressedAs = (coding: Coding): Promise<Buffer> => {
    const bytes = compressed.get(coding) ?? compressOnce(coding, plain);
    compressed.set(coding, bytes);
    return bytes;
  };
  return {
    prepare: async (request, reply) => {
      void reply.header('etag', etag);
      const coding = markCoding(reply, acceptedCoding(request));
      const condition = request.headers['if-none-match'];
      if (condition !== undefined && matchesEtag(condition, etag)) {
        void reply.code(304).removeHeader('content-encoding');
        return undefined;
      }
      return coding === undefined ? plain : compressedAs(coding);
    },
  };
}
