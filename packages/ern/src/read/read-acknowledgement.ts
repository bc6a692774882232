import { type Acknowledgement, parseAcknowledgement } from './parse-acknowledgement.ts';
import { readXml } from './read-xml.ts';
import type { SchemaError, Validator } from './validator.ts';

/** An acknowledgement is about a batch: it is far smaller than a message, and comes from outside. */
const acknowledgementLimits = { bytesMax: 1024 * 1024, tokensMax: 20_000, depthMax: 64 };

export type ReadAcknowledgement = {
  /** Undefined if the document is no acknowledgement. */
  readonly acknowledgement: Acknowledgement | undefined;
  /** How it differs from its schema. Real stores send such ones: it is no reason to ignore what they say. */
  readonly warnings: readonly SchemaError[];
};

/** Reads what a store answers. Throws `XmlRefused` for hostile or broken XML. */
export function readAcknowledgement(
  xml: Uint8Array | string,
  validator?: Validator,
): ReadAcknowledgement {
  const { root, errors } = validator?.read(xml, acknowledgementLimits) ?? {
    root: readXml(xml, acknowledgementLimits),
    errors: [],
  };
  return { acknowledgement: parseAcknowledgement(root), warnings: errors };
}
