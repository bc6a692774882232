import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { type FileContent, WrongContent } from './transport.ts';

/** The source with its content verified. A failure of either is an error of what is returned. */
export const openVerified = async (content: FileContent): Promise<Readable> =>
  pipeline(await content.open(), verifyContent(content), () => undefined);

/**
 * Passes the bytes on, and holds the last chunk back until the size and the digest of all are right: a server that
 * counts bytes never gets the whole of a wrong file.
 */
function verifyContent({ sizeBytes, sha256 }: Omit<FileContent, 'open'>): Transform {
  const digest = createHash('sha256');
  let seenBytes = 0;
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      seenBytes += chunk.length;
      const before = held;
      held = chunk;
      done(null, before);
    },
    flush(done) {
      const isRight = seenBytes === sizeBytes && digest.digest('hex') === sha256;
      if (isRight) done(null, held);
      else done(new WrongContent(`the source has ${seenBytes} bytes that are not those announced`));
    },
  });
}
