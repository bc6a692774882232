/** Building blocks of schemas, and the view of a schema that validation and documentation share. */

import { type TSchema, Type } from 'typebox';
import { pageLimitDefault, pageLimitMax } from '../../kernel/page.ts';

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
  readonly format?: string;
  readonly pattern?: string;
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

export const notBlank = '\\S';

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

export const Timestamp = (description: string, example = '2026-11-15T09:30:00.000Z') =>
  Type.String({ format: 'date-time', description, examples: [example] });

export const DateText = (description: string, example = '2027-01-15') =>
  Type.String({ format: 'date', description, examples: [example] });

export const IdOf = (prefix: string) =>
  Type.String({
    pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
  });

/** An id in a body. It is looked up without a check of its form, so a malformed id answers like an unknown one. */
export const Reference = (prefix: string, description: string) =>
  Type.String({
    maxLength: 64,
    description,
    examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`],
  });

/** For objects without additional fields. */
export const closed = { additionalProperties: false };

export const referenceMax = 200;
const pairsMax = 20; // contract §2

/** A partner's own `metadata`. */
export const Pairs = (description: string) =>
  Type.Record(
    Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }),
    Type.String({ ...textRule('multiline'), maxLength: 500 }),
    { ...closed, maxProperties: pairsMax, description },
  );

/** Catalogue §5: the same in every list of findings. */
export const AppliesTo = Type.Union(
  [
    Type.Literal('all', { description: 'Every store that was judged.' }),
    Type.Array(Type.String(), { description: 'store_id of some of them.' }),
  ],
  { description: 'The stores that the finding concerns.', examples: ['all', ['aurora']] },
);

const cursorMax = 500;

/** Contract §1: the parameters of every list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageLimitMax, default: pageLimitDefault }),
  ),
  cursor: Type.Optional(Verbatim(cursorMax, { description: 'next_cursor of the page before.' })),
};

/** Contract §1: a page of a list. */
export const PageOf = <T extends TSchema>(title: string, item: T) =>
  Type.Object(
    {
      data: Type.Array(item),
      next_cursor: Nullable(Type.String({ description: 'Pass as cursor to read the next page.' })),
      has_more: Type.Boolean(),
    },
    { title },
  );

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'Stable machine-readable identifier.' }),
      message: Type.String({ description: 'For people; may change.' }),
      request_id: IdOf('req'),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            field: Type.String({ examples: ['artists[0].name'] }),
            issue: Type.String(),
          }),
        ),
      ),
    }),
  },
  { title: 'Error' },
);
