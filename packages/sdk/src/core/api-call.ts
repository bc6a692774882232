/** A call that was sent: await it for its data, or ask for the whole answer. */

export type Answer<T> = {
  readonly data: T;
  /** Status and headers. Its body has been read, unless `data` is the response itself. */
  readonly response: Response;
  readonly requestId: string | undefined;
  /** 1 if the first attempt succeeded. */
  readonly attempts: number;
};

export class ApiCall<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiCall';
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** The data together with status and headers of the answer. */
  withResponse(): Promise<Answer<T>> {
    return this.#answer;
  }

  /* oxlint-disable typescript/no-explicit-any -- a promise says nothing about its reasons */

  // oxlint-disable-next-line unicorn/no-thenable -- a call is a promise with one method more
  then<Result = T, Failure = never>(
    onFulfilled?: ((data: T) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: any) => Failure | PromiseLike<Failure>) | null,
  ): Promise<T | Failure> {
    return this.then(undefined, onRejected);
  }

  /* oxlint-enable typescript/no-explicit-any */

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#answer.then(({ data }) => data).finally(onFinally);
  }
}
