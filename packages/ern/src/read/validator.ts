import { type ErrorDetail, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import { copyRoot, defaultXmlLimits, withDocument, type XmlLimits } from './read-xml.ts';
import { readSchemaFile, schemaUrl, withSchemaFiles } from './schema-files.ts';
import type { XmlRoot } from './xml-tree.ts';

/** Where each schema lies in the schema directory: the folders of the zip files that DDEX publishes. */
const schemaPaths: Readonly<Record<string, string>> = {
  'http://ddex.net/xml/ern/432': 'ern/432/release-notification.xsd',
  'http://ddex.net/xml/ern/43': 'ern/43/release-notification.xsd',
  'http://ddex.net/xml/ern-c-sftp/18': 'ern-c-sftp/18/ern-choreography-sftp.xsd',
  'http://ddex.net/xml/ern-c-sftp/16': 'ern-c-sftp/16/ern-choreography-sftp.xsd',
};

const errorsMax = 100;
const messageLengthMax = 500;

export interface SchemaError {
  /** A sentence about the element and what the schema expects instead. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly xpath: string;
}

export interface ValidatedXml {
  readonly root: XmlRoot;
  /** Empty for a valid document; at most 100. */
  readonly errors: readonly SchemaError[];
}

export interface Validator {
  /** Reads the document and compares it with the schema of its namespace. Throws `XmlRefused` for hostile or broken XML. */
  readonly read: (xml: Uint8Array | string, limits?: XmlLimits) => ValidatedXml;
  /** The errors alone. */
  readonly validate: (xml: Uint8Array | string, limits?: XmlLimits) => readonly SchemaError[];
  /** Compiles the schema of a namespace ahead of its first document, which takes most of a second. */
  readonly compile: (namespace: string) => void;
  /** Releases the compiled schemas. */
  readonly dispose: () => void;
}

export interface ValidatorOptions {
  /** Called when a document was parsed and its schema compiled, before the two are compared. */
  readonly onComparing?: () => void;
}

/** The schema directory lacks a file, or one of its files is no valid schema. */
export class SchemaUnavailable extends Error {
  override readonly name = 'SchemaUnavailable';
}

/**
 * For documents of known origin: libxml2 describes every error before it stops, and a hostile document can have tens of
 * thousands. For those of strangers there is {@link createBoundedValidator}.
 *
 * Validates against the XSD files of DDEX, which its licence forbids to ship with this package: pass the directory that
 * holds them. Each schema is compiled once, when its first document arrives.
 */
export function createValidator(
  schemaDirectory: string,
  { onComparing }: ValidatorOptions = {},
): Validator {
  const compiled = new Map<string, XsdValidator>();

  const schemaFor = (namespace: string): XsdValidator | undefined => {
    const path = Object.hasOwn(schemaPaths, namespace) ? schemaPaths[namespace] : undefined;
    if (path === undefined) {
      return undefined;
    }
    const schema = compiled.get(namespace) ?? compileSchema(schemaDirectory, path);
    compiled.set(namespace, schema);
    return schema;
  };

  const errorsOf = (document: XmlDocument): readonly SchemaError[] => {
    const schema = schemaFor(document.root.namespaceUri);
    onComparing?.();
    return schema === undefined ? [unknownNamespace(document)] : compare(schema, document);
  };

  return {
    read: (xml, limits = defaultXmlLimits) =>
      withDocument(xml, limits, (document) => ({
        root: copyRoot(document, limits),
        errors: errorsOf(document),
      })),
    validate: (xml, limits = defaultXmlLimits) => withDocument(xml, limits, errorsOf),
    compile: (namespace) => {
      schemaFor(namespace);
    },
    dispose: () => {
      for (const schema of compiled.values()) {
        schema.dispose();
      }
      compiled.clear();
    },
  };
}

function compileSchema(directory: string, path: string): XsdValidator {
  try {
    return withSchemaFiles(directory, () => {
      const document = XmlDocument.fromBuffer(readSchemaFile(directory, path), {
        url: schemaUrl(path),
      });
      try {
        return XsdValidator.fromDoc(document);
      } finally {
        document.dispose();
      }
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new SchemaUnavailable(`The schema ${path} cannot be used: ${reason}`, { cause: error });
  }
}

function unknownNamespace({ root }: XmlDocument): SchemaError {
  const known = Object.keys(schemaPaths).join(', ');
  return {
    message: `The namespace ${JSON.stringify(root.namespaceUri)} of ${root.name} is not supported. Use one of: ${known}.`,
    line: root.line,
    xpath: `/${root.name}`,
  };
}

function compare(schema: XsdValidator, document: XmlDocument): readonly SchemaError[] {
  try {
    schema.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) {
      throw error;
    }
    return error.details
      .filter((detail) => detail.level > 1)
      .filter(isFirstAboutItsValue)
      .slice(0, errorsMax)
      .map(toSchemaError);
  }
}

/** libxml2 reports a wrong value twice: which rule it breaks, then of which type it therefore is not. */
function isFirstAboutItsValue(detail: ErrorDetail, index: number, all: readonly ErrorDetail[]) {
  const before = all[index - 1];
  return !(
    /is not a valid value of the/.test(detail.message) &&
    before !== undefined &&
    before.xpath === detail.xpath &&
    before.message.includes('[facet')
  );
}

function toSchemaError({ message, line, xpath }: ErrorDetail): SchemaError {
  const plain = message.replaceAll(/\{http:[^}]*\}/g, '').trim();
  return {
    message: plain.length > messageLengthMax ? `${plain.slice(0, messageLengthMax - 1)}…` : plain,
    line,
    xpath: xpath ?? '',
  };
}
