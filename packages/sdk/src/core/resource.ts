import type { Waiting, WaitOptions } from '../waiters/wait-for.ts';
import type { ApiCall } from './api-call.ts';
import type { LineStream } from './line-stream.ts';
import type { AnyPage, Pager } from './pager.ts';
import type { ApiRequest } from './request.ts';
import type { Fetch } from './settings.ts';

/** What the resources need of a client. */
export interface ApiClient {
  call<T>(request: ApiRequest): ApiCall<T>;
  list<T, Page extends AnyPage<T>>(request: ApiRequest): Pager<T, Page>;
  lines<T extends object>(request: ApiRequest, key: keyof T): LineStream<T>;
  raw(request: ApiRequest): ApiCall<Response>;
  wait<T>(waiting: Waiting<T>, options: WaitOptions<T>): Promise<T>;
  /** For requests to others, such as the storage. */
  readonly fetch: Fetch;
}

export class Resource {
  protected readonly client: ApiClient;

  constructor(client: ApiClient) {
    this.client = client;
  }
}
