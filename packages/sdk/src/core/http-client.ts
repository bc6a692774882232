/** The client below the resources. */

import { EventFeed } from '../waiters/event-feed.ts';
import { waitFor, type Waiting, type WaitOptions } from '../waiters/wait-for.ts';
import { ApiCall } from './api-call.ts';
import { TonearmError } from './errors.ts';
import { LineStream } from './line-stream.ts';
import { type AnyPage, Pager } from './pager.ts';
import type { ApiRequest } from './request.ts';
import type { ApiClient } from './resource.ts';
import { send } from './send.ts';
import type { Fetch, Settings } from './settings.ts';

/** Waiters have another way than the feed, so that they do not wait for it for long. */
const feedOptions = { timeoutMs: 10_000, maxRetries: 1 };

export class HttpClient implements ApiClient {
  readonly #settings: Settings;
  readonly #feed: EventFeed;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#feed = new EventFeed((query) =>
      this.call({ method: 'GET', path: '/v1/events', query, options: feedOptions }),
    );
  }

  get fetch(): Fetch {
    return this.#settings.fetch;
  }

  wait<T>(waiting: Waiting<T>, options: WaitOptions<T>): Promise<T> {
    return waitFor(this.#feed, waiting, options);
  }

  call<T>(request: ApiRequest): ApiCall<T> {
    return new ApiCall(send(this.#settings, request, readJson<T>));
  }

  raw(request: ApiRequest): ApiCall<Response> {
    return new ApiCall(
      send(this.#settings, { ...request, isStreamed: true }, (response) => response),
    );
  }

  list<T, Page extends AnyPage<T>>(request: ApiRequest): Pager<T, Page> {
    return new Pager((cursor) =>
      this.call<Page>(
        cursor === undefined ? request : { ...request, query: { ...request.query, cursor } },
      ),
    );
  }

  lines<T extends object>(request: ApiRequest, key: keyof T): LineStream<T> {
    return new LineStream(
      (after) =>
        this.raw(
          after === undefined ? request : { ...request, query: { ...request.query, after } },
        ).then((response) => response),
      key,
    );
  }
}

/** Read as text first: a body that breaks off must not look like one that is not JSON. */
async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (text === '') return undefined as T;
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new TonearmError(`The answer of ${response.url} is not JSON. Check baseUrl.`, {
      cause: error,
    });
  }
}
