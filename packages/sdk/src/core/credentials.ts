/** What a request proves itself with. */

import type { OAuthAccessToken } from '../generated/schema.ts';

export interface Credentials {
  /** The value of the header `Authorization`. */
  authorization(): string | Promise<string>;
  /** The service refused this value. Returns whether another one may help. */
  renew(authorization: string): boolean;
}

export class ApiKey implements Credentials {
  readonly #authorization: string;

  constructor(key: string) {
    this.#authorization = `Bearer ${key}`;
  }

  authorization(): string {
    return this.#authorization;
  }

  renew(): boolean {
    return false;
  }
}

/** A token is replaced this long before it expires, so that none expires on its way. */
const renewalMs = 60_000;

/** A token of OAuth 2.0 client credentials: one for all calls, requested once however many calls wait for it. */
export class OAuthToken implements Credentials {
  readonly #request: () => PromiseLike<OAuthAccessToken>;
  #current: { readonly authorization: string; readonly renewAt: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(request: () => PromiseLike<OAuthAccessToken>) {
    this.#request = request;
  }

  authorization(): string | Promise<string> {
    if (this.#current !== undefined && Date.now() < this.#current.renewAt) {
      return this.#current.authorization;
    }
    this.#pending ??= this.#renewed().finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  renew(authorization: string): boolean {
    if (this.#current?.authorization === authorization) this.#current = undefined;
    return true;
  }

  async #renewed(): Promise<string> {
    const { access_token: token, expires_in: seconds } = await this.#request();
    const lifetimeMs = seconds * 1000;
    const authorization = `Bearer ${token}`;
    const renewAt = Date.now() + lifetimeMs - Math.min(renewalMs, lifetimeMs / 2);
    this.#current = { authorization, renewAt };
    return authorization;
  }
}
