/** The API's own catalogue of error codes: an error that a model reads says what to do about it. */

import type { CallApi } from './tool.ts';

type ErrorEntry = {
  readonly code: string;
  readonly status: number;
  readonly cause: string;
  readonly cure: string;
};

export type ErrorCodes = {
  readonly all: () => Promise<readonly ErrorEntry[]>;
  readonly cureOf: (code: string) => Promise<string | undefined>;
};

/** Read once, when it is first needed. */
export function createErrorCodes(call: CallApi): ErrorCodes {
  let entries: Promise<readonly ErrorEntry[]> | undefined;
  const all = () => {
    entries ??= call({ method: 'GET', path: '/v1/error_codes' }).then(
      (answer) => (answer as { data: readonly ErrorEntry[] }).data,
    );
    return entries.catch((error: unknown) => {
      entries = undefined;
      throw error;
    });
  };
  return {
    all,
    // Without the catalogue the error itself is still worth reading.
    cureOf: async (code) =>
      all().then(
        (list) => list.find((each) => each.code === code)?.cure,
        () => undefined,
      ),
  };
}
