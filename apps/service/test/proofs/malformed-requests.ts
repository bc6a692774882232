/** Generates malformed requests from the OpenAPI document. */

import fc, { type Arbitrary } from 'fast-check';
import {
  encodeURIComponentLoosely,
  hugeBodies,
  invalidValues,
  oddHeaders,
  pathPieces,
  rawBodies,
} from './malformed-values.ts';
import { arbitraryOf, type Schema } from './schema-arbitrary.ts';

export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
};

type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema };

type DocumentedOperation = {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
};

export type Malformed = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};

/** Replaces one value at any depth, adds one name, or drops one. */
function withOneDefect(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return invalidValues;
  const names = Object.keys(value);
  const put = (name: string, inner: unknown) =>
    Array.isArray(value)
      ? value.map((each: unknown, i) => (String(i) === name ? inner : each))
      : { ...value, [name]: inner };
  const added = fc
    .tuple(
      fc.oneof(
        fc.string({ maxLength: 20 }),
        fc.constantFrom('id', 'status', 'constructor', 'x'.repeat(5_000)),
      ),
      invalidValues,
    )
    .map(([name, inner]) => ({ ...value, [name]: inner }));
  if (names.length === 0) return added;
  const replaced = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .oneof(
          { weight: 3, arbitrary: invalidValues },
          { weight: 2, arbitrary: withOneDefect((value as Record<string, unknown>)[name]) },
        )
        .map((inner) => put(name, inner)),
    );
  const dropped = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)));
  return fc.oneof({ weight: 4, arbitrary: replaced }, added, dropped);
}

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

const formType = 'application/x-www-form-urlencoded';
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
const toForm = (value: unknown): Buffer => {
  const pairs = Object.entries(Object(value));
  const texts = pairs.map(([name, each]): [string, string] => [name, textOf(each)]);
  return Buffer.from(new URLSearchParams(texts).toString());
};

const methods = [
  'GET',
  'POST',
  'PATCH',
  'DELETE',
  'PUT',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'SEARCH',
];

/** Existing ids by the name of their path parameter, so that some requests find their resource. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

export function malformedRequests(document: OpenApi, ids: KnownIds): Arbitrary<Malformed> {
  const resolve = (ref: string): Schema => {
    const schema = document.components.schemas[ref.replace('#/components/schemas/', '')];
    if (schema === undefined) throw new Error(`${ref} is not in the document`);
    return schema;
  };
  const parametersOf = ({ parameters = [] }: DocumentedOperation): Parameter[] =>
    parameters.map((each) => {
      if (!('$ref' in each)) return each;
      const shared = document.components.parameters[each.$ref.split('/').at(-1) ?? ''];
      if (shared === undefined) throw new Error(`${each.$ref} is not in the document`);
      return shared;
    });
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) =>
      requestsOf(
        { method: method.toUpperCase(), path, parameters: parametersOf(operation) },
        operation.requestBody,
        resolve,
        ids,
      ),
    ),
  );
  return fc.oneof(...operations);
}

type Target = {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
};

function requestsOf(
  { method, path, parameters }: Target,
  requestBody: DocumentedOperation['requestBody'],
  resolve: (ref: string) => Schema,
  ids: KnownIds,
): Arbitrary<Malformed> {
  const valid = (schema: Schema) => arbitraryOf(schema, resolve);
  const texts = (schema: Schema) =>
    valid(schema).map((value) => encodeURIComponentLoosely(String(value)));
  const pieces = parameters
    .filter((each) => each.in === 'path')
    .map(({ name, schema }) => {
      const known = ids[name] === undefined ? texts(schema) : fc.constantFrom(...ids[name]);
      return fc
        .oneof({ weight: 4, arbitrary: known }, texts(schema), pathPieces)
        .map((piece) => [`{${name}}`, piece] as const);
    });
  const query = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 4,
      arbitrary: queries(
        parameters.filter((each) => each.in === 'query'),
        valid,
      ),
    },
    fc
      .string({ unit: 'binary', maxLength: 30 })
      .map((text) => `?${encodeURIComponentLoosely(text)}`),
    fc.constantFrom(
      '?',
      '??',
      '?limit=1&limit=2',
      '?limit[]=1',
      '?__proto__=1',
      `?x=${'y'.repeat(9_000)}`,
      '?%=%',
      '?limit=%00',
    ),
  );
  const form = requestBody?.content[formType]?.schema;
  const schema = requestBody?.content['application/json']?.schema ?? form;
  const encode = form === undefined ? toBytes : toForm;
  const contentType = form === undefined ? {} : { 'content-type': formType };
  const validBody = schema === undefined ? fc.constant(undefined) : valid(schema);
  const body: Arbitrary<Buffer | undefined> = fc.oneof(
    {
      weight: 100,
      arbitrary: validBody.map((value) => (value === undefined ? undefined : encode(value))),
    },
    {
      weight: 200,
      arbitrary:
        schema === undefined ? fc.constant(undefined) : validBody.chain(withOneDefect).map(encode),
    },
    { weight: 60, arbitrary: rawBodies },
    { weight: 1, arbitrary: hugeBodies },
  );
  return fc
    .record({
      method: fc.oneof({ weight: 12, arbitrary: fc.constant(method) }, fc.constantFrom(...methods)),
      pieces: fc.tuple(...pieces),
      query,
      headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, oddHeaders),
      body,
    })
    .map((request) => ({
      method: request.method,
      path:
        request.pieces.reduce((all, [name, piece]) => all.replace(name, () => piece), path) +
        request.query,
      headers: { ...contentType, ...request.headers },
      body: request.body,
    }));
}

function queries(
  parameters: readonly { readonly name: string; readonly schema: Schema }[],
  valid: (schema: Schema) => Arbitrary<unknown>,
): Arbitrary<string> {
  if (parameters.length === 0) return fc.constant('?unknown=1');
  const pair = fc
    .constantFrom(...parameters)
    .chain(({ name, schema }) =>
      fc
        .oneof({ weight: 2, arbitrary: valid(schema) }, invalidValues)
        .map((value) => `${name}=${encodeURIComponentLoosely(textOf(value))}`),
    );
  return fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`);
}
