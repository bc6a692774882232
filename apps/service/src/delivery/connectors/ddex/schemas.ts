import { createBoundedValidator, type SchemaError, XmlRefused } from '@tonearm/ern';
import type { Logger } from 'pino';
import { minuteMs } from '../../../kernel/duration.ts';

export type Schemas = {
  /** In our own message, before it is sent. */
  readonly findSchemaErrors: (xml: string) => Promise<readonly string[]>;
  /** In a file of a store. */
  readonly findAnswerErrors: (xml: string) => Promise<readonly string[]>;
};

/** The largest release has one mebibyte and becomes a message of 12 MB with 300,000 elements and attributes. */
const ownLimits = { bytesMax: 64 * 1024 * 1024, tokensMax: 2_000_000, depthMax: 64 };
/** The largest message takes a second. A busy machine must not make a good message look wrong. */
const ownDeadlineMs = minuteMs;

type SchemaOptions = { readonly isLive: boolean; readonly logger: Logger };

/**
 * Files are compared with the schemas in threads: that takes up to a second, and minutes for a file with thousands of
 * errors. Stores' files have a thread of their own with a short deadline, so that none holds up our messages. Without a
 * folder nothing is checked in the sandbox, and nothing is sent in live.
 */
export function openSchemas(
  folder: string | undefined,
  { isLive, logger }: SchemaOptions,
): Schemas {
  if (folder === undefined) {
    const consequence = isLive ? 'are not sent' : 'are not checked against the schema';
    logger.warn(`DDEX_SCHEMA_DIR is not set: messages to stores ${consequence}`);
    return {
      findSchemaErrors: isLive ? refuseToSend : async () => [],
      findAnswerErrors: async () => [],
    };
  }
  const own = createBoundedValidator(folder, { deadlineMs: ownDeadlineMs });
  const answers = createBoundedValidator(folder);
  return {
    findSchemaErrors: async (xml) => {
      try {
        return toTexts(await own.validate(xml, ownLimits));
      } catch (error) {
        // It cannot be read, so it must not be sent.
        if (error instanceof XmlRefused) return [error.message];
        throw error;
      }
    },
    findAnswerErrors: async (xml) => toTexts(await answers.validate(xml)),
  };
}

async function refuseToSend(): Promise<never> {
  throw new Error('DDEX_SCHEMA_DIR is not set: no message is sent without a check');
}

const toTexts = (errors: readonly SchemaError[]): readonly string[] =>
  errors.map(({ message, xpath }) => `${xpath}: ${message}`);
