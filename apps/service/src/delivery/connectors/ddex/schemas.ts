import { createBoundedValidator, createValidator, type SchemaError } from '@tonearm/ern';
import type { Logger } from 'pino';

export type Schemas = {
  /** In our own message, before it is sent. */
  readonly findSchemaErrors: (xml: string) => readonly string[];
  /** In a file of a store: in a thread with a deadline, because thousands of errors take libxml2 a minute. */
  readonly findAnswerErrors: (xml: string) => Promise<readonly string[]>;
};

/** The schemas are compiled once, by the first message of each version. Without a folder nothing is checked. */
export function openSchemas(folder: string | undefined, logger: Logger): Schemas {
  if (folder === undefined) {
    logger.warn(
      'DDEX_SCHEMA_DIR is not set: messages to stores are not checked against the schema',
    );
    return { findSchemaErrors: () => [], findAnswerErrors: async () => [] };
  }
  const { validate } = createValidator(folder);
  const bounded = createBoundedValidator(folder);
  return {
    findSchemaErrors: (xml) => toTexts(validate(xml)),
    findAnswerErrors: async (xml) => toTexts(await bounded.validate(xml)),
  };
}

const toTexts = (errors: readonly SchemaError[]): readonly string[] =>
  errors.map(({ message, xpath }) => `${xpath}: ${message}`);
