import type { ErnMessage } from '../model.ts';
import type { ErnVersion } from '../write/dialects.ts';
import { checkMessage } from './checks/check-message.ts';
import type { Finding } from './finding.ts';
import { parseMessage } from './parse-message.ts';
import { readXml } from './read-xml.ts';
import type { SchemaError, Validator } from './validator.ts';

export type ReadMessage = {
  /** Absent if the document lacks what the model cannot do without. Trust it only if there are no findings. */
  readonly message: ErnMessage | undefined;
  readonly version: ErnVersion | undefined;
  /** Why the message must be refused: errors of the XSD first, then what is missing, then what is inconsistent. */
  readonly findings: readonly Finding[];
  /** XPaths of elements that the model has no place for. */
  readonly unread: readonly string[];
};

export type ReadOptions = {
  /** For messages of known origin. Without it the XSD is not consulted. */
  readonly validator?: Validator;
  /** For messages of strangers: what a `BoundedValidator` found. */
  readonly schemaErrors?: readonly SchemaError[];
  /** The recipient has the release: a message without deals takes it down. */
  readonly isKnownRelease?: boolean;
};

/** Reads a partner's message and says all that is wrong with it. Throws `XmlRefused` for hostile or broken XML. */
export function readMessage(
  xml: Uint8Array | string,
  { validator, schemaErrors = [], isKnownRelease = false }: ReadOptions = {},
): ReadMessage {
  const { root, errors } = validator?.read(xml) ?? { root: readXml(xml), errors: schemaErrors };
  const { message, version, findings, unread } = parseMessage(root);
  if (version === undefined) {
    return { message, version, findings, unread };
  }
  const checked = checkMessage(root, { isKnownRelease });
  return {
    message,
    version,
    findings: distinct([...errors.map(toFinding), ...findings, ...checked]),
    unread,
  };
}

const toFinding = ({ message, line, xpath }: SchemaError): Finding => ({
  code: 'NewReleaseMessageInvalid',
  message: `${message} (line ${line})`,
  xpath,
});

/** The reader and the checks may notice the same thing: one finding per code and place is enough. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ code, xpath }) => {
    const key = `${code} ${xpath}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
