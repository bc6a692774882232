/** A download of JSON lines that continues by itself where it was interrupted. */

import { ConnectionError, TonearmError } from './errors.ts';

/** Sends the request, with `after` if it is not the first. */
export type OpenLines = (after: unknown) => Promise<Response>;

/** A download may break often, if only it gets on between two breaks. */
const breaksWithoutProgressMax = 3;

export class LineStream<T extends object> implements AsyncIterable<T> {
  readonly #open: OpenLines;
  readonly #key: keyof T;

  constructor(open: OpenLines, key: keyof T) {
    this.#open = open;
    this.#key = key;
  }

  /** The answer as it is, without continuing after a break. */
  response(): Promise<Response> {
    return this.#open(undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let after: unknown;
    let breaks = 0;
    for (;;) {
      const response = await this.#open(after);
      try {
        for await (const line of linesOf(response)) {
          const item = JSON.parse(line) as T;
          after = item[this.#key];
          breaks = 0;
          yield item;
        }
      } catch (error) {
        if (!(error instanceof BrokenDownload)) throw error;
        if (++breaks > breaksWithoutProgressMax) {
          throw new ConnectionError('The download broke again and again.', breaks, error.cause);
        }
        continue;
      }
      if (!hasNext(response)) return;
    }
  }
}

class BrokenDownload extends TonearmError {}

/** `Link: <…>; rel="next"`: the answer has a limit, and there is more. */
const hasNext = (response: Response): boolean =>
  /;\s*rel="?next"?/.test(response.headers.get('link') ?? '');

async function* linesOf(response: Response): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new BrokenDownload('The download broke.', { cause: error });
      });
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line !== '') yield line;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
