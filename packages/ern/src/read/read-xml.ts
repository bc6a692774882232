/**
 * Reads XML that a stranger wrote. What could cost memory, time or a file is refused before the parser sees it:
 * the size, the number of tags and attributes, every encoding but UTF-8 (in which a DTD could hide from a search for
 * its bytes), and every DTD, without which there are no entities to expand or to fetch. The parser itself loads nothing
 * and replaces no entity. Its tree lives in WebAssembly memory that no garbage collector frees: it is copied and released.
 */

import {
  ParseOption,
  XmlDocument,
  XmlElement as LibxmlElement,
  XmlEntityReference,
  XmlParseError,
  XmlTreeNode,
} from 'libxml2-wasm';
import { XmlRefused } from './xml-refused.ts';
import type { XmlElement, XmlRoot } from './xml-tree.ts';

export interface XmlLimits {
  readonly bytesMax: number;
  /** Counts `<`, except in end tags, and `=`: no element, attribute or comment comes without one of them. */
  readonly tokensMax: number;
  readonly depthMax: number;
}

/**
 * A box set of 300 tracks has about 2 MB and 40,000 tokens; the deepest path of ERN has fewer than 20 steps. Each token
 * costs a kilobyte of memory at the most, so that any document within these limits stays below 100 MB.
 */
export const defaultXmlLimits: XmlLimits = {
  bytesMax: 4 * 1024 * 1024,
  tokensMax: 50_000,
  depthMax: 64,
};

const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const SLASH = 0x2f;

const parseOptions = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET;

/** Reads the document into plain data, or throws {@link XmlRefused}. */
export function readXml(xml: Uint8Array | string, limits = defaultXmlLimits): XmlRoot {
  return withDocument(xml, limits, (document) => copyRoot(document, limits));
}

/** Runs `use` on the parsed document and releases its memory afterwards, whatever happens. */
export function withDocument<T>(
  xml: Uint8Array | string,
  limits: XmlLimits,
  use: (document: XmlDocument) => T,
): T {
  const bytes = typeof xml === 'string' ? encode(xml, limits) : xml;
  refuseHostile(bytes, limits);
  const document = parse(bytes);
  try {
    if (document.dtd !== null) {
      throw new XmlRefused('xml_has_dtd', 'The document has a DTD. Send it without one.');
    }
    return use(document);
  } finally {
    document.dispose();
  }
}

export function copyRoot(document: XmlDocument, limits: XmlLimits): XmlRoot {
  const { root } = document;
  const copy = copyElement(root, undefined, 1, limits.depthMax);
  return Object.assign(copy, { namespace: root.namespaceUri });
}

/** A string of n characters has at least n bytes: the limit is checked before a copy is made. */
function encode(xml: string, limits: XmlLimits): Uint8Array {
  refuseSize(xml.length, limits);
  return new TextEncoder().encode(xml);
}

function refuseSize(length: number, limits: XmlLimits): void {
  if (length > limits.bytesMax) {
    throw new XmlRefused(
      'xml_too_large',
      `The document has more than ${limits.bytesMax} bytes. Send a smaller one.`,
    );
  }
}

function refuseHostile(bytes: Uint8Array, limits: XmlLimits): void {
  refuseSize(bytes.length, limits);
  const tags = countUpTo(bytes, LESS_THAN, limits.tokensMax + 1, SLASH);
  if (tags + countUpTo(bytes, EQUALS, limits.tokensMax + 1) > limits.tokensMax) {
    throw new XmlRefused(
      'xml_too_complex',
      `The document has more than ${limits.tokensMax} elements and attributes. Send a smaller one.`,
    );
  }
  const text = decode(bytes);
  if (text.includes('\0')) {
    throw new XmlRefused('xml_not_well_formed', 'The document contains a null character.');
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new XmlRefused('xml_has_dtd', 'The document has a DTD. Send it without one.');
  }
}

/**
 * Native search, and no further than needed: a loop over every byte of a hostile document took a second. Does not count
 * a byte that `unless` follows.
 */
function countUpTo(bytes: Uint8Array, byte: number, max: number, unless?: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && count < max; at = bytes.indexOf(byte, at + 1)) {
    if (bytes[at + 1] !== unless) {
      count += 1;
    }
  }
  return count;
}

const unsupported = (found: string): XmlRefused =>
  new XmlRefused('xml_encoding_unsupported', `The document is ${found}. Send it in UTF-8.`);

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unsupported('not valid UTF-8');
  }
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']{0,40})["']/.exec(text)?.[1];
  if (declared !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(declared)) {
    throw unsupported(`declared as ${JSON.stringify(declared)}`);
  }
  return text;
}

function parse(bytes: Uint8Array): XmlDocument {
  try {
    return XmlDocument.fromBuffer(bytes, { encoding: 'utf-8', option: parseOptions });
  } catch (error) {
    if (!(error instanceof XmlParseError)) {
      throw error;
    }
    const [first] = error.details;
    const message = (first?.message ?? error.message).trim().slice(0, 300);
    if (/depth/i.test(message)) {
      throw new XmlRefused('xml_too_deep', 'The elements are nested too deeply.', first?.line);
    }
    throw new XmlRefused(
      'xml_not_well_formed',
      `The document is not well-formed XML: ${message}.`,
      first?.line,
    );
  }
}

function copyElement(
  source: LibxmlElement,
  parent: XmlElement | undefined,
  position: number,
  depthLeft: number,
): XmlElement {
  if (depthLeft === 0) {
    throw new XmlRefused('xml_too_deep', 'The elements are nested too deeply.', source.line);
  }
  const element = {
    name: source.name,
    prefix: parent === undefined ? source.prefix : '',
    attributes: attributesOf(source),
    children: noChildren,
    text: '',
    line: source.line,
    parent,
    position,
  };
  const children: XmlElement[] = [];
  // Most elements are leaves, and a hostile document has tens of thousands: they get no map and no list of their own.
  let seen: Map<string, number> | undefined;
  for (let node = source.firstChild; node !== null; node = nextOf(node)) {
    if (node instanceof LibxmlElement) {
      seen ??= new Map();
      const nth = (seen.get(node.name) ?? 0) + 1;
      seen.set(node.name, nth);
      children.push(copyElement(node, element, nth, depthLeft - 1));
    } else if (node instanceof XmlEntityReference) {
      throw new XmlRefused('xml_has_dtd', `The entity ${node.name} is not known.`, node.line);
    }
  }
  if (children.length === 0) {
    element.text = source.content;
  } else {
    element.children = children;
  }
  return element;
}

const noChildren: readonly XmlElement[] = [];

/** A processing instruction has a next node like any other, but libxml2-wasm gives it no `next`. */
const nextOf = (node: XmlTreeNode): XmlTreeNode | null =>
  Reflect.get(XmlTreeNode.prototype, 'next', node);

const noAttributes: ReadonlyMap<string, string> = new Map();

function attributesOf(source: LibxmlElement): ReadonlyMap<string, string> {
  const { attrs } = source;
  if (attrs.length === 0) {
    return noAttributes;
  }
  return new Map(
    attrs.filter(({ namespaceUri }) => namespaceUri === '').map(({ name, value }) => [name, value]),
  );
}
