import { createValidator } from '@tonearm/ern';
import type { Logger } from 'pino';

type FindSchemaErrors = (xml: string) => readonly string[];

/** The schemas are compiled once, by the first message of each version. Without a folder nothing is checked. */
export function openSchemas(folder: string | undefined, logger: Logger): FindSchemaErrors {
  if (folder === undefined) {
    logger.warn(
      'DDEX_SCHEMA_DIR is not set: messages to stores are not checked against the schema',
    );
    return () => [];
  }
  const { validate } = createValidator(folder);
  return (xml) => validate(xml).map(({ message, xpath }) => `${xpath}: ${message}`);
}
