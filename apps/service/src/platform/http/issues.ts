/**
 * What a refusal says about a value that its schema does not accept: what is expected, with an example. A sentence that
 * was made from the keyword alone would show partners a regular expression, so each pattern has `x-expects` beside it.
 */

import type { TLocalizedValidationError } from 'typebox/error';
import { didYouMean } from '../../kernel/near-name.ts';
import { issueOfFormat } from './formats.ts';
import { notBlank } from './schema.ts';

/** What a schema says that a sentence can use. */
export type SchemaNode = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly 'x-expects'?: string;
  readonly 'x-expects-key'?: string;
  readonly 'x-cure'?: string;
};

type Violated = {
  readonly error: TLocalizedValidationError;
  /** The schema that the value violates. */
  readonly node: SchemaNode;
  /** What the value may be instead of `node`, itself included. */
  readonly choices: readonly SchemaNode[];
  readonly value: unknown;
};

/** Without the field and the period: see `sentenceOf`. */
export function issueOf(violated: Violated): string {
  const issue = constraintOf(violated);
  const cure = violated.node['x-cure'];
  // A question ends the sentence already.
  return cure === undefined || issue.endsWith('?') ? issue : `${issue}; ${cure}`;
}

function constraintOf({ error, node, choices, value }: Violated): string {
  switch (error.keyword) {
    case 'type':
      return `must be ${typesOf(choices)}${exampleOf(node)}`;
    case 'enum':
      return oneOf(error.params.allowedValues, value);
    case 'const':
      return oneOf([error.params.allowedValue], value);
    case 'format':
      return issueOfFormat(error.params.format, value);
    case 'pattern':
      return expectationOf(node, String(error.params.pattern));
    case 'minLength':
    case 'maxLength':
      return boundsOf(error, node.minLength, node.maxLength, 'characters');
    case 'minItems':
    case 'maxItems':
      return boundsOf(error, node.minItems, node.maxItems, 'entries');
    case 'maxProperties':
      return `must have at most ${count(error.params.limit)} keys`;
    case 'minimum':
    case 'maximum':
      return `must be ${typeNames[node.type ?? 'number']} ${rangeOf(node)}`;
    case 'uniqueItems':
      return 'must not list an entry twice';
    default:
      return error.message;
  }
}

const count = (n: number | bigint): string => n.toLocaleString('en-US');

const oneOf = (allowed: readonly unknown[], value: unknown): string => {
  const names = allowed.map(String);
  const near = typeof value === 'string' ? didYouMean(value, names) : '';
  if (names.length === 1) return `must be ${JSON.stringify(allowed[0])}`;
  return `must be one of: ${names.join(', ')}${near}`;
};

/** The sentence that stands beside the pattern in the schema. */
function expectationOf(node: SchemaNode, pattern: string): string {
  if (pattern === notBlank) return 'must not be blank';
  const example = exampleOf(node, ' such as');
  return node['x-expects'] === undefined
    ? `must be in the expected form${example}`
    : `must be ${node['x-expects']}${example}`;
}

function boundsOf(
  { keyword }: TLocalizedValidationError,
  least = 0,
  most = Infinity,
  unit: string,
): string {
  if (keyword.startsWith('min')) {
    return least === 1 ? 'must not be empty' : `must have at least ${count(least)} ${unit}`;
  }
  return `must have at most ${count(most)} ${unit}`;
}

/** `from 1 to 100`. Without separators: partners copy the numbers. */
export function rangeOf({ minimum, maximum }: SchemaNode): string {
  if (minimum === undefined) return `of at most ${maximum}`;
  return maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

const typesOf = (choices: readonly SchemaNode[]): string =>
  [...new Set(choices.map(({ type = 'string' }) => typeNames[type] ?? type))].join(' or ');

const exampleLengthMax = 80;

/** An example of a text or of a list of texts; empty without one that is short. */
export function exampleOf(node: SchemaNode, words = ', for example'): string {
  const own = node.examples?.[0] ?? node.enum?.[0];
  const inner = node.items?.examples?.[0] ?? node.items?.enum?.[0];
  const example = own ?? (inner === undefined ? undefined : [inner]);
  if (example === undefined) return '';
  const text = JSON.stringify(example);
  return text.length > exampleLengthMax ? '' : `${words} ${text}`;
}
