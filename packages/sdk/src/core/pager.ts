/** A list that reads its pages by itself. */

import type { ApiCall } from './api-call.ts';

export type AnyPage<T> = {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
};

/** `for await (const item of pager)` reads every item; `page()` reads one page. Nothing is sent before. */
export class Pager<T, Page extends AnyPage<T> = AnyPage<T>> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => ApiCall<Page>;

  constructor(read: (cursor: string | undefined) => ApiCall<Page>) {
    this.#read = read;
  }

  /** The first page, or the one of the `cursor` in the query. */
  page(): ApiCall<Page> {
    return this.#read(undefined);
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.has_more ? (page.next_cursor ?? undefined) : undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The items as an array, at most `limit` of them. */
  async toArray({ limit = Infinity }: { readonly limit?: number } = {}): Promise<T[]> {
    const items: T[] = [];
    if (limit <= 0) return items;
    for await (const item of this) {
      if (items.push(item) >= limit) break;
    }
    return items;
  }
}
