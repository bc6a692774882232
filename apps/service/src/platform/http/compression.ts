/**
 * Compresses answers for clients that accept it. A strong ETag names exact bytes, so the ETag of a compressed answer is
 * weak; `If-Match` and `If-None-Match` compare the opaque part only. What is recorded and stored for replays is the
 * answer before its compression.
 */

import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from './fastify-types.ts';

export type Coding = 'br' | 'gzip';

/** A smaller answer fits into one packet anyway. */
const bytesMin = 1_024;
const gzipLevel = 1;
/** Half the bytes of gzip at two thirds of its CPU time (ADR 0031). */
const brotliQuality = 3;

/** Of a text that is compressed once, while its first reader waits: a quarter of a second for the 4 MB of `/docs`. */
const brotliQualityOnce = 5;
const gzipLevelOnce = 6;

const brotli = (quality: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  },
});

/** zlib's threads do the work: a large page does not block the event loop. */
const toBrotli = promisify<string | Buffer, BrotliOptions, Buffer>(brotliCompress);
const toGzip = promisify<string | Buffer, { level: number }, Buffer>(gzip);

function compress(
  coding: Coding,
  body: string | Buffer,
  done: (error: Error | null, compressed: Buffer) => void,
): void {
  if (coding === 'br') brotliCompress(body, brotli(brotliQuality), done);
  else gzip(body, { level: gzipLevel }, done);
}

/** For a text that is sent again and again. */
export const compressOnce = (coding: Coding, body: Buffer): Promise<Buffer> =>
  coding === 'br'
    ? toBrotli(body, brotli(brotliQualityOnce))
    : toGzip(body, { level: gzipLevelOnce });

/** RFC 9110 §12.5.3. Brotli wins unless the client prefers gzip; `*` is any coding that is not named. */
export function acceptedCoding({ headers }: FastifyRequest): Coding | undefined {
  const { 'accept-encoding': accepted } = headers;
  if (typeof accepted !== 'string') return undefined;
  const qualities = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each) => {
        const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
        const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, Number(quality ?? 1) || 0];
      }),
  );
  const qualityOf = (coding: Coding) => qualities.get(coding) ?? qualities.get('*') ?? 0;
  const [br, gz] = [qualityOf('br'), qualityOf('gzip')];
  if (br === 0 && gz === 0) return undefined;
  return br >= gz ? 'br' : 'gzip';
}

export const weakened = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`);

/** The coding of an answer with this body; undefined: it is sent as it is. */
export const codingOf = (request: FastifyRequest, body: string | Buffer): Coding | undefined =>
  Buffer.byteLength(body) < bytesMin ? undefined : acceptedCoding(request);

/**
 * Compresses the answers of operations; pages are compressed once (`static-answer.ts`). With a callback: most answers
 * are sent as they are, and a promise for each would cost more than the rest of this hook.
 */
export function compressAnswers(server: Server): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isOperation = request.routeOptions.config.operation !== undefined;
    if (!isOperation || request.method === 'HEAD') return done(null, payload);
    if (payload instanceof Readable) return done(null, compressLines(request, reply, payload));
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    const coding = markCoding(reply, codingOf(request, payload));
    if (coding === undefined) return done(null, payload);
    compress(coding, payload, done);
  });
}

/** Lines of any number: they are compressed as they are read. If one cannot be read, the connection is closed. */
function compressLines(request: FastifyRequest, reply: FastifyReply, lines: Readable): Readable {
  const coding = markCoding(reply, acceptedCoding(request));
  if (coding === undefined) return lines;
  const compressor =
    coding === 'br'
      ? createBrotliCompress(brotli(brotliQuality))
      : createGzip({ level: gzipLevel });
  // The reply listens for the error of the stream that it sends.
  return pipeline(lines, compressor, () => undefined);
}

export function markCoding(reply: FastifyReply, coding: Coding | undefined): Coding | undefined {
  void reply.header('vary', 'accept-encoding');
  if (coding === undefined) return undefined;
  void reply.header('content-encoding', coding);
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string') void reply.header('etag', weakened(etag));
  return coding;
}
