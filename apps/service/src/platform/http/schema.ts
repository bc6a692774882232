/** Building blocks of schemas, and the view of a schema that validation and documentation share. */

import { type TSchema, Type } from 'typebox';
import { type ExamplePrefix, exampleIds } from '../../kernel/example-story.ts';
import { exampleOrigin } from '../../kernel/example-story.ts';
import { idNouns } from '../../kernel/id-kinds.ts';
import { pageLimitDefault, pageLimitMax } from '../../kernel/page.ts';
import { problemCodes } from '../../kernel/problem.ts';
import { docUrlOf } from './doc-url.ts';

export type ObjectSchema = TSchema & {
  readonly properties: Readonly<Record<string, InnerSchema & ParameterSchema>>;
  readonly required?: readonly string[];
  /** Alternatives of an object: it has the fields of at least one. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  readonly 'x-read-only'?: readonly string[];
  readonly 'x-also-required'?: AlsoRequired;
};

/**
 * The fields that each entry of a list must have too, by the name of the list. They depend on the rest of the body,
 * which is not validated yet.
 */
export type AlsoRequired = (
  body: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, readonly string[]>>;

export type InnerSchema = {
  readonly type?: string;
  /** Null, or the schema of a value that is not null. */
  readonly anyOf?: readonly InnerSchema[];
  readonly items?: TSchema & { readonly properties?: Readonly<Record<string, InnerSchema>> };
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
};

/** What the schema of a query parameter may say. */
export type ParameterSchema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
};

export function asObjectSchema(schema: unknown): ObjectSchema {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) {
    throw new TypeError('a body or query schema must be an object schema');
  }
  return schema as ObjectSchema;
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** TypeBox's own enum has no `type`, which OpenAPI tools expect. */
export const OneOf = <const Values extends readonly string[]>(
  values: Values,
  options: object = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

/** For a choice in answers (spec §9.2). */
export const mayGrow = 'Accept values that you do not know: new ones may be added at any time.';

/** The OpenAPI document shows this schema in requests. Validation does not use it, because its messages would be worse. */
export const documentedAs = (schema: object) => ({ 'x-documented-as': schema });

export const notBlank = '\\S';

/** For the options of a text: a pattern, and what a refusal says instead of it, after "must be". */
export const patterned = (pattern: string, expects: string) => ({ pattern, 'x-expects': expects });
/** For the options of a map: what a refusal says of a key that breaks the pattern, after "a key must be". */
export const keysAre = (expects: string) => ({ 'x-expects-key': expects });

/** Exceptions from the rules for text (`text-rules.ts`): line breaks and tabs allowed, or stored as sent, unchecked. */
export type TextRule = 'multiline' | 'verbatim';
const textRule = (rule: TextRule) => ({ 'x-text': rule });

/** Text for people: not blank, and bounded. */
export const Text = (maxLength: number, options: object = {}) =>
  Type.String({ minLength: 1, maxLength, pattern: notBlank, ...options });

export const MultilineText = (maxLength: number, options: object = {}) =>
  Text(maxLength, { ...textRule('multiline'), ...options });

/** A URL, a secret or a cursor, not text for people: its own rule limits its characters. */
export const Verbatim = (maxLength: number, options: object = {}) =>
  Type.String({ ...textRule('verbatim'), maxLength, ...options });

/** For a field with a secret value: what is stored of requests and answers never contains it (`redact.ts`). */
export const secretField = { 'x-secret': true };

export const Timestamp = (description: string, example = '2026-11-15T09:30:00.000Z') =>
  Type.String({ format: 'date-time', description, examples: [example] });

/** Does not follow the sandbox clock (architecture §4), as most timestamps do. */
export const RealTime = (description: string) =>
  Timestamp(`${description} Real time, also if the sandbox clock was moved.`);

export const DateText = (description: string, example = '2027-01-15') =>
  Type.String({ format: 'date', description, examples: [example] });

export const IdOf = (prefix: keyof typeof idNouns) =>
  Type.String({
    description: `The id of ${idNouns[prefix]}.`,
    ...patterned(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, 'an id'),
    examples: [exampleIds[prefix]],
  });

/** An id in a body. It is looked up without a check of its form, so a malformed id answers like an unknown one. */
export const Reference = (prefix: ExamplePrefix, description: string) =>
  Type.String({ maxLength: 64, description, examples: [exampleIds[prefix]] });

/** For objects without additional fields. */
export const closed = { additionalProperties: false };

export const referenceMax = 200;
const pairsMax = 20; // contract §2

/** A partner's own `metadata`. */
export const Pairs = (description: string) =>
  Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }),
    Type.String({ ...textRule('multiline'), maxLength: 500 }),
    {
      ...closed,
      ...keysAre('1 to 40 letters, digits, underscores, periods and hyphens'),
      maxProperties: pairsMax,
      description,
    },
  );

/** Catalogue §5: the same in every list of findings. */
export const AppliesTo = Type.Union(
  [
    Type.Literal('all', { description: 'Every store that was checked.' }),
    Type.Array(Type.String(), {
      description: 'The `store_id` of each store that the finding concerns.',
    }),
  ],
  { description: 'The stores that the finding concerns.', examples: ['all', ['aurora']] },
);

const cursorMax = 500;

/** Contract §1: the parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: pageLimitMax,
      default: pageLimitDefault,
      description: `How many items a page has at most, from 1 to ${pageLimitMax}. If you omit it, ${pageLimitDefault}.`,
    }),
  ),
  cursor: Type.Optional(
    Verbatim(cursorMax, {
      description: 'The `next_cursor` of the previous page. Omit it for the first page.',
    }),
  ),
};

/** Contract §1: a page of a list. */
export const PageOf = <T extends TSchema>(title: string, item: T) =>
  Type.Object(
    {
      data: Type.Array(item, { description: 'The items of this page.' }),
      next_cursor: Nullable(
        Type.String({
          description: 'Send it as `cursor` to read the next page. `null`: this is the last page.',
        }),
      ),
      has_more: Type.Boolean({
        description: '`true`: there are more items. Send `next_cursor` as `cursor` to read them.',
      }),
    },
    { title },
  );

export const ErrorCode = OneOf(problemCodes, {
  title: 'ErrorCode',
  description: `The stable identifier of the error. Decide by it; \`GET /v1/error_codes\` lists the codes. ${mayGrow}`,
});

export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: ErrorCode,
        message: Type.String({
          description:
            'A sentence for people: what is wrong and what to do. Its words may change; do not parse it.',
        }),
        request_id: IdOf('req'),
        doc_url: Type.String({
          description:
            'The page about the code: what causes the error and how to correct it. An absolute URL; a path if the request had no valid Host header.',
          examples: [docUrlOf(exampleOrigin, 'invalid_field')],
        }),
        details: Type.Optional(
          Type.Array(
            Type.Object({
              field: Type.String({
                description: 'The path of the field, or the name of the parameter.',
                examples: ['artists[0].name'],
              }),
              issue: Type.String({
                description:
                  'A sentence for people: what is wrong with the value and what to send instead.',
                examples: ['artists[0].name must not be blank.'],
              }),
            }),
            { description: 'Every value that is wrong, at most 100.' },
          ),
        ),
      },
      { description: 'Why the request failed.' },
    ),
  },
  { title: 'ApiError' },
);
