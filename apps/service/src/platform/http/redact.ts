/**
 * Removes secrets from a text before it is stored: a body, a path with its query, a header. Secrets are found in three
 * ways, so that one that is new, misplaced or malformed is found too:
 *
 *   by value   our credentials begin with a known prefix; IBANs and card numbers have check digits
 *   by name    the value of a field or parameter that is called a secret, of any route
 *   as a URL   of which only scheme and host are kept: a presigned URL, an inbox and many receivers carry a credential
 *              in the path or the query
 *
 * Texts are searched, not parsed: a body may be malformed, cut off, or not JSON at all. Every repetition in a pattern is
 * bounded or anchored, so that the time grows with the length of the text only.
 */

import { docUrlPattern, isDocPath } from './doc-url.ts';
import type { AnyOperation } from './operation.ts';
import { redactBankNumbers } from './redact-bank-numbers.ts';

export type Redact = (text: string) => string;

type Rule = readonly [pattern: RegExp, replacement: string | typeof hideUrl];

const hidden = '[redacted]';

/**
 * A field or parameter whose name ends with one of these has a secret. The schemas add those with `secretField`, which
 * must be whole words: `tin` is not the end of `Martin`.
 */
const secretNames = [
  'secret',
  'token',
  'password',
  'credential',
  'credentials',
  'api_key',
  'api-key',
  'apikey',
];

/**
 * Parts of texts that a rule could change, besides the names. Most texts contain none, and searching for them is all
 * they cost. The search is fast if the first character is rare: `//`, not `://`.
 */
const markers = ['whsec', '//', '\\u', '\\/', '%', 'x/', 'xpected token', 'zation'];
/** Searched apart: `ta_` alone is a part of field names. */
const credential = /ta_(?:live|test|[a-z]{2})_/;

const hostPattern = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Between a name and its value: the closing quote of the name, and the separator. */
const separator = String.raw`\\*["']?\s{0,20}[:=]\s{0,20}`;
/** A text in quotes, which may have lost its end. In JSON within JSON the quotes are escaped. */
const quoted = String.raw`(\\*")(?:[^"\\]|\\.)*|(')[^']*`;
const unquoted = String.raw`\[[^\]]*|\{[^}]*|(?!null\b)[^\s,&}\]"'\\]+`;

const rulesOf = (name: string): readonly Rule[] => {
  return [
    // V8 quotes the body around the error, without the name of the field or the beginning of the value.
    [/(Unexpected token )[^]{0,400}?( is not valid JSON)/g, `$1${hidden}$2`],
    [/(authorization\\*["']?\s{0,20}[:=]\s{0,20}\\*["']?)[^"'\\\r\n]*/gi, `$1${hidden}`],
    [new RegExp(`(${name}${separator})(?:${quoted})`, 'gi'), `$1$2$3${hidden}`],
    [new RegExp(`(${name}${separator})(?:${unquoted})`, 'gi'), `$1${hidden}`],
    [/(whsec_|ta_(?:live|test)_|ta_[a-z]{2}_(?=[\w-]{8}))[\w+/=%-]+/g, `$1${hidden}`],
    [/([a-z][a-z0-9+.-]{0,15}:\/\/)([^\s"'\\<>/?#]*)([/?#][^\s"'\\<>]*)?/gi, hideUrl],
    [/(sandbox\/inbox\/)[\w-]+/g, `$1${hidden}`],
  ];
};

const hideUrl = (_url: string, scheme: string, authority: string, rest = ''): string =>
  `${scheme}${hostOf(authority)}${rest.length > 1 && !isDocPath(rest) ? `/${hidden}` : rest}`;

const escapePattern = (text: string): string => text.replaceAll(/[^\w]/g, String.raw`\$&`);

/** Without the user and password before the host. A host that is not one may be a part of them. */
function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return hostPattern.test(host) ? host : hidden;
}

/** `operations`: their schemas name more secret fields. They are read at the first use, when all are registered. */
export function createRedact(operations: () => readonly AnyOperation[]): Redact {
  let redact: Redact | undefined;
  return (text) => {
    redact ??= compileRedact([...new Set(operations().flatMap(secretFieldsOf))]);
    return redact(text);
  };
}

/**
 * Redacts parsed JSON, text by text. The result is JSON for any content: redacted as one text, a title such as
 * `My secret:` would take the quotes after it for those of a secret.
 */
export function redactJson(redact: Redact, value: unknown, name = ''): unknown {
  if (typeof value === 'string') return isSecretName(redact, name) ? hidden : redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactJson(redact, item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactJson(redact, item, key)]),
  );
}

const isSecretName = (redact: Redact, name: string): boolean => {
  const parameter = `${name}=x`;
  return redact(parameter) !== parameter;
};

const oneOfNames = (names: readonly string[]): string =>
  `(?:${names.map(escapePattern).join('|')})`;

/** Not after a letter or a digit; `old_tin` ends with the word `tin`. */
const wholeWord = '(?<![a-z0-9])';

function compileRedact(fieldNames: readonly string[]): Redact {
  const name = [
    oneOfNames(secretNames),
    ...(fieldNames.length > 0 ? [`${wholeWord}${oneOfNames(fieldNames)}`] : []),
  ].join('|');
  const rules = rulesOf(`(?:${name})`);
  const containsName = compileNameSearch([...secretNames, ...fieldNames]);
  const isSuspicious = (text: string): boolean =>
    containsAny(text, markers) ||
    containsName(text.toLowerCase()) ||
    (text.includes('ta_') && credential.test(text));
  return (text) => {
    // Every error answer has the address of a guide, and most have nothing else to redact.
    if (!isSuspicious(text) || !isSuspicious(text.replace(docUrlPattern, '')))
      return redactBankNumbers(text, hidden);
    const plain = withoutEscapes(text);
    const redacted = redactBankNumbers(
      rules.reduce(
        (before, [pattern, replacement]) => before.replace(pattern, replacement as string),
        plain,
      ),
      hidden,
    );
    return redacted === plain ? text : redacted;
  };
}

const containsAny = (text: string, searched: readonly string[]): boolean => {
  for (const each of searched) if (text.includes(each)) return true;
  return false;
};

const charactersByRarity = 'zqjxkvbpgwyfmcuhldrsnioate-_';
const endLengthMin = 3;

/** The end of a name from its rarest character on: `key` of `apikey`. */
function rareEndOf(name: string): string {
  const rarities = Array.from({ length: name.length - endLengthMin + 1 }, (_, i) =>
    charactersByRarity.indexOf(name.charAt(i)),
  );
  return name.slice(rarities.indexOf(Math.min(...rarities)));
}

/**
 * Whether a text in lower case contains one of the names. It searches for their ends, which are rare, and compares the
 * names only where it finds one: `ber` is the end of `catalog_number` too, and a pattern of all names took a tenth of
 * the time of a list.
 */
function compileNameSearch(names: readonly string[]): (lowerCase: string) => boolean {
  const lowerCaseNames = [...new Set(names.map((name) => name.toLowerCase()))];
  const namesByEnd = [...Map.groupBy(lowerCaseNames, rareEndOf)];
  return (text) => {
    for (const [end, ending] of namesByEnd) {
      for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) {
        const nameEnd = at + end.length;
        for (const name of ending) if (text.startsWith(name, nameEnd - name.length)) return true;
      }
    }
    return false;
  };
}

/** How often an escape may be escaped once more. */
const escapesMax = 3;
const plainCharacter = /[\w+/=:.@?&-]/;

/** Escapes that JSON and URLs allow but do not need: `\u0073ecret`, `https:\/\/`, `whsec%5F`. */
function withoutEscapes(text: string): string {
  let before = text;
  for (let i = 0; i < escapesMax; i++) {
    const after = before
      .replaceAll(/(?:\\u00|%)([2-7][0-9a-f])/gi, (escape: string, digits: string) => {
        const character = String.fromCharCode(Number.parseInt(digits, 16));
        return plainCharacter.test(character) || character === '%' ? character : escape;
      })
      .replaceAll(String.raw`\/`, '/');
    if (after === before) return after;
    before = after;
  }
  return before;
}

/** The names of the fields that have `secretField`, in bodies, queries and answers. */
function secretFieldsOf({ body, query, answers }: AnyOperation): string[] {
  return [body, query, ...Object.values(answers)].flatMap((schema) => secretFieldsIn(schema));
}

function secretFieldsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: object };
  const own = Object.entries(properties).flatMap(([name, field]) =>
    isSecret(field) ? [name] : [],
  );
  return [...own, ...Object.values(schema).flatMap(secretFieldsIn)];
}

/** Also one that may be null. */
function isSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { anyOf = [] } = schema as { readonly anyOf?: readonly unknown[] };
  return 'x-secret' in schema || anyOf.some(isSecret);
}
