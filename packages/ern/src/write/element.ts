/** Elements as data, and their text. The same elements always have the same text. */

import type { Source } from './field.ts';
import { UnsendableValue } from './unsendable-value.ts';

type Scalar = string | number | boolean;

/** A constant of the format, or a value of the model. */
export type Text = string | Source<Scalar>;

export type Children = readonly (Element | undefined | Children)[];

export type Attributes = Readonly<Record<string, Text | undefined>>;

export type Element = {
  readonly name: string;
  readonly attributes: Attributes;
  readonly content: Text | Children;
};

/** Without content there is no element: what the model does not say, the message does not say. */
export function element(name: string, content: Text | Children, attributes?: Attributes): Element;
export function element(
  name: string,
  content: Text | Children | undefined,
  attributes?: Attributes,
): Element | undefined;
export function element(
  name: string,
  content: Text | Children | undefined,
  attributes: Attributes = {},
): Element | undefined {
  return content === undefined ? undefined : { name, attributes, content };
}

export type Written = {
  readonly xml: string;
  /** The fields whose values are in the text. */
  readonly fields: readonly Source<Scalar>[];
};

export function writeDocument(root: Element): Written {
  const writer: Writer = { lines: ['<?xml version="1.0" encoding="UTF-8"?>'], fields: [] };
  writeElement(writer, root, '');
  return { xml: `${writer.lines.join('\n')}\n`, fields: writer.fields };
}

type Writer = { readonly lines: string[]; readonly fields: Source<Scalar>[] };

function writeElement(writer: Writer, { name, attributes, content }: Element, indent: string) {
  const tag = `${name}${attributesOf(writer, attributes)}`;
  if (typeof content === 'string' || 'pointers' in content) {
    const text = escapeText(textOf(writer, content));
    writer.lines.push(`${indent}<${tag}>${text}</${name}>`);
    return;
  }
  writer.lines.push(`${indent}<${tag}>`);
  writeChildren(writer, content, `${indent}  `);
  writer.lines.push(`${indent}</${name}>`);
}

function writeChildren(writer: Writer, children: Children, indent: string): void {
  for (const child of children) {
    if (child === undefined) continue;
    if ('name' in child) writeElement(writer, child, indent);
    else writeChildren(writer, child, indent);
  }
}

const attributesOf = (writer: Writer, attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined ? '' : ` ${name}="${escapeAttribute(textOf(writer, value))}"`,
    )
    .join('');

function textOf(writer: Writer, content: Text): string {
  if (typeof content === 'string') return content;
  const { value } = content;
  const issue = issueOf(value);
  if (issue !== undefined) throw new UnsendableValue(content.pointers[0] ?? '', issue);
  writer.fields.push(content);
  return String(value);
}

/** XML 1.0 §2.2: what is left out here cannot be written, not even as a reference. It includes lone surrogates. */
const illegalCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

function issueOf(value: Scalar): string | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number') {
    // Large and tiny numbers would be written with exponents, which xs:integer and xs:decimal do not have.
    return Number.isFinite(value) && !String(value).includes('e')
      ? undefined
      : 'is not a number that XML can carry';
  }
  if (value.trim() === '') return 'is empty; leave it out';
  const [illegal] = illegalCharacter.exec(value) ?? [];
  if (illegal === undefined) return undefined;
  const code = (illegal.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `contains the character U+${code}, which XML cannot carry`;
}

/** White space is written as references where a reader would change it: carriage returns, and more in attributes. */
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const referenceOf = (character: string): string => references[character] ?? character;

const escapeText = (text: string): string => text.replaceAll(/[&<>\r]/g, referenceOf);

const escapeAttribute = (text: string): string => text.replaceAll(/[&<>"\t\n\r]/g, referenceOf);
