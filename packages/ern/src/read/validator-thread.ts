/** The thread of a bounded validator: it answers each document that it is sent. */

import { parentPort, workerData } from 'node:worker_threads';
import type { XmlLimits } from './read-xml.ts';
import { createValidator, type SchemaError, SchemaUnavailable } from './validator.ts';
import { type XmlRefusal, XmlRefused } from './xml-refused.ts';

export type ThreadAnswer =
  /** The deadline begins. */
  | { readonly kind: 'comparing' }
  | { readonly kind: 'compared'; readonly errors: readonly SchemaError[] }
  | {
      readonly kind: 'refused';
      readonly code: XmlRefusal;
      readonly message: string;
      readonly line: number;
    }
  | { readonly kind: 'unavailable'; readonly message: string };

export type ThreadQuestion = {
  readonly xml: Uint8Array | string;
  readonly limits: XmlLimits | undefined;
};

const answer = (to: ThreadAnswer): void => parentPort?.postMessage(to);

// The type of workerData is any: createBoundedValidator passes the directory.
const validator = createValidator(workerData as string, {
  onComparing: () => answer({ kind: 'comparing' }),
});

parentPort?.on('message', ({ xml, limits }: ThreadQuestion) => {
  try {
    answer({ kind: 'compared', errors: validator.validate(xml, limits) });
  } catch (error) {
    if (error instanceof XmlRefused) {
      const { code, message, line } = error;
      answer({ kind: 'refused', code, message, line });
    } else if (error instanceof SchemaUnavailable) {
      answer({ kind: 'unavailable', message: error.message });
    } else {
      throw error;
    }
  }
});
