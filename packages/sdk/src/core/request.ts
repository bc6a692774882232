/** What a call of the SDK takes. */

/** Options of every call. */
export type RequestOptions = {
  /** Ends the call, also between two attempts. It rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** How long all attempts and the waits between them may take together, in milliseconds. */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a failed attempt is repeated. 0: never. */
  readonly maxRetries?: number | undefined;
  /** Headers to add, or to replace. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

/** Options of a call that reads one resource. */
export type ReadOptions = RequestOptions & {
  /** The `ETag` that you have. If the resource is still the same, the call rejects with `NotModifiedError`. */
  readonly ifNoneMatch?: string | undefined;
};

/** Options of a call that changes something. */
export type WriteOptions = RequestOptions & {
  /** A UUID v4 of your own; otherwise each call makes one. All attempts of a call send the same. */
  readonly idempotencyKey?: string | undefined;
  /** The `ETag` that you have. If the resource has changed, the call rejects with `PreconditionFailedError`. */
  readonly ifMatch?: string | undefined;
};

/** A body that is sent as it is. */
export type RawBody = string | Uint8Array | ArrayBuffer | Blob | URLSearchParams;

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One call, whatever it asks for. */
export type ApiRequest = {
  readonly method: Method;
  /** The path with its identifiers, from `/v1` on. */
  readonly path: string;
  readonly query?: object | undefined;
  /** A `RawBody`, or a value that is sent as JSON. */
  readonly body?: unknown;
  /** The media type of a body that is a string. */
  readonly textType?: string | undefined;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly takesKey?: boolean | undefined;
  /** Whether the caller reads the body of the answer, in his own time. */
  readonly isStreamed?: boolean | undefined;
  readonly options?: (ReadOptions & WriteOptions) | undefined;
};
