/**
 * Validates documents of strangers in a thread of its own. libxml2 cannot be told to stop at the hundredth error: it
 * describes each one, and a small document with thousands of wrong values keeps it busy for minutes. The thread is ended
 * at a deadline, which is an error of the document like any other, and the next document gets a new thread.
 */

import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { XmlLimits } from './read-xml.ts';
import type { ThreadAnswer, ThreadQuestion } from './validator-thread.ts';
import type { SchemaError } from './validator.ts';
import { SchemaUnavailable } from './validator.ts';
import { XmlRefused } from './xml-refused.ts';

/** A valid message of 60 KiB takes about 10 ms. */
const deadlineMsDefault = 2000;

export interface BoundedValidator {
  /** One document after the other. Rejects with `XmlRefused` for hostile or broken XML. */
  readonly validate: (
    xml: Uint8Array | string,
    limits?: XmlLimits,
  ) => Promise<readonly SchemaError[]>;
  readonly close: () => Promise<void>;
}

export function createBoundedValidator(
  schemaDirectory: string,
  { deadlineMs = deadlineMsDefault }: { readonly deadlineMs?: number } = {},
): BoundedValidator {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const endThread = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };

  const validateNow = async (question: ThreadQuestion): Promise<readonly SchemaError[]> => {
    thread ??= startThread(schemaDirectory);
    const answer = await ask(thread, question, deadlineMs).catch(async (error: unknown) => {
      // A thread that failed answers nothing any more.
      await endThread();
      throw error;
    });
    if (answer === 'overdue') {
      await endThread();
      return [overdue(deadlineMs)];
    }
    return errorsIn(answer);
  };

  return {
    validate: (xml, limits) => {
      const validated = last.then(() => validateNow({ xml, limits }));
      last = validated.catch(() => undefined);
      return validated;
    },
    close: async () => {
      await last;
      await endThread();
    },
  };
}

function startThread(schemaDirectory: string): Worker {
  // The package runs as TypeScript from its sources and as JavaScript when it is published.
  const file = new URL(`./validator-thread${extname(import.meta.url)}`, import.meta.url);
  const thread = new Worker(file, { workerData: schemaDirectory });
  thread.unref();
  return thread;
}

type FinalAnswer = Exclude<ThreadAnswer, { readonly kind: 'comparing' }>;

/** The deadline counts from the comparison: before it, a schema may have to be compiled. */
function ask(
  thread: Worker,
  question: ThreadQuestion,
  deadlineMs: number,
): Promise<FinalAnswer | 'overdue'> {
  return new Promise((resolve, reject) => {
    let deadline: NodeJS.Timeout | undefined;
    const settle = (finish: () => void): void => {
      clearTimeout(deadline);
      thread.off('message', onMessage).off('error', onError);
      thread.unref();
      finish();
    };
    const onError = (error: unknown): void => settle(() => reject(error));
    const onMessage = (answer: ThreadAnswer): void => {
      if (answer.kind === 'comparing') {
        deadline = setTimeout(() => settle(() => resolve('overdue')), deadlineMs);
      } else {
        settle(() => resolve(answer));
      }
    };
    thread.on('message', onMessage).on('error', onError);
    thread.ref();
    thread.postMessage(question);
  });
}

function errorsIn(answer: FinalAnswer): readonly SchemaError[] {
  switch (answer.kind) {
    case 'compared':
      return answer.errors;
    case 'refused':
      throw new XmlRefused(answer.code, answer.message, answer.line);
    case 'unavailable':
      throw new SchemaUnavailable(answer.message);
    default:
      throw new TypeError(`unknown answer ${JSON.stringify(answer)}`);
  }
}

const overdue = (deadlineMs: number): SchemaError => ({
  message: `The document could not be compared with its schema within ${deadlineMs} ms: it has too many errors.`,
  line: 1,
  xpath: '/*',
});
