/** Requests as nobody should send them, grown from the API's own document. */
import fc, { type Arbitrary } from 'fast-check';
import { arbitraryOf, type Schema } from './schema-arbitrary.ts';

export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

type DocumentedOperation = {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
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

const deep = 20_000;
const megabyte = 1_000_000;

/** Values that fit no schema, or fit one and break what stands behind it. */
const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -0,
    1e308,
    -1,
    2 ** 53,
    0.1,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud83c',
    '\udfa7x',
    '\u202e',
    '\ufeff',
    '\u2028',
    'x'.repeat(10_000),
    '💿'.repeat(300),
    [],
    {},
    [[[]]],
    { toString: 1 },
    { constructor: { prototype: {} } },
    "'; drop table releases; --",
    '%s%n',
    '../../etc/passwd',
    '1e400',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

const rawBodies: Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(
      '',
      'null',
      '0',
      '"x"',
      '[]',
      '{',
      '{"title":',
      '{"a":1}{"b":2}',
      '{"a":1,"a":2}',
      '{"__proto__":{}}',
      'NaN',
      '{"a":\u0000}',
      "{'a':1}",
      '{"a":1}//',
      '\ufeff{}',
      '{"\\ud800":1}',
      '{"a":"\\u0000"}',
      '[1,]',
      '['.repeat(deep),
      '['.repeat(deep) + ']'.repeat(deep),
      `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
      '{"a":1e999}',
    )
    .map((text) => Buffer.from(text)),
);

/** Rare: each costs as much as a thousand others. */
const hugeBodies: Arbitrary<Buffer> = fc.constantFrom(
  Buffer.alloc(megabyte, 'x'),
  Buffer.from(`{"title":"${'x'.repeat(megabyte)}"}`),
  Buffer.from(`[${'1,'.repeat(120_000)}1]`),
);

/** One value somewhere inside is replaced, one name is added, or one is dropped. */
function spoiled(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return junk;
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
      junk,
    )
    .map(([name, inner]) => ({ ...value, [name]: inner }));
  if (names.length === 0) return added;
  const replaced = fc
    .constantFrom(...names)
    .chain((name) =>
      fc
        .oneof(
          { weight: 3, arbitrary: junk },
          { weight: 2, arbitrary: spoiled((value as Record<string, unknown>)[name]) },
        )
        .map((inner) => put(name, inner)),
    );
  const dropped = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([each]) => each !== name)));
  return fc.oneof({ weight: 4, arbitrary: replaced }, added, dropped);
}

const toBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

const pathPieces = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%ff',
    '%00',
    '%F0%9F',
    '.',
    '..',
    '%2e%2e',
    '%2F',
    'x'.repeat(300),
    'x'.repeat(9_000),
    '~',
    ';',
    '@',
    'rel_',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map(encodeURIComponentLoosely),
);

/** A lone surrogate cannot be encoded; half of it can be sent all the same. */
function encodeURIComponentLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const oddHeaders: Arbitrary<Record<string, string>> = fc.oneof(
  fc.constantFrom<Record<string, string>>(
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': '' },
    { 'content-type': 'application/json/;;' },
    { 'idempotency-key': 'not-a-uuid' },
    { 'idempotency-key': '' },
    { 'idempotency-key': 'x'.repeat(5_000) },
    { 'if-match': '*' },
    { 'if-match': '"x", W/"y"' },
    { 'if-none-match': '*' },
    { 'x-request-id': 'x'.repeat(9_000) },
    { accept: 'application/xml' },
    { 'accept-encoding': 'br;q=1.0, *;q=0' },
    { traceparent: 'garbage' },
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Basic eDp5' },
    { authorization: `Bearer ${'x'.repeat(10_000)}` },
    { authorization: 'Bearer tnr_sandbox_\u00e9' },
    { 'x-api-key': 'x' },
    { range: 'bytes=0-1' },
    { 'x-forwarded-for': '::1, 127.0.0.1' },
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).map((text) => ({ 'if-match': text.trim() })),
);

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

/** Below HTTP's grammar, byte for byte, each on a connection of its own. */
export const rawRequests: Arbitrary<Buffer> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'BREW', 'CONNECT', 'get', '', 'G\0T'),
      fc.oneof(
        fc.constantFrom(
          '/v1/releases',
          '*',
          '//',
          '/\0',
          '/v1/ü',
          '/a b',
          'http://x/v1/releases',
          'x:443',
          '/%',
          '/v1/../..',
        ),
        fc.string({ unit: 'binary', maxLength: 20 }),
      ),
      fc.constantFrom('HTTP/1.1', 'HTTP/1.0', 'HTTP/9.9', 'HTTP/2', 'http/1.1', ''),
      fc.constantFrom(
        'host: x',
        '',
        'host: x\r\nhost: y',
        'host: x\r\n: empty',
        'host: x\r\nx\0y: 1',
        'host: x\r\ncontent-length: -1',
        'host: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked',
        'host: x\r\nexpect: 100-continue',
        'host: x\r\nexpect: x',
        'host: x\r\ntransfer-encoding: gzip',
        'host: x\r\nupgrade: websocket\r\nconnection: upgrade',
        `host: x\r\nx-big: ${'a'.repeat(40_000)}`,
        `host: x\r\n${'a: b\r\n'.repeat(3_000)}c: d`,
      ),
    )
    .map(([method, target, version, lines]) => [
      method,
      target,
      version,
      lines === '' ? '' : `${lines}\r\n`,
    ])
    .map(([method, target, version, headers]) =>
      Buffer.from(`${method} ${target} ${version}\r\n${headers}connection: close\r\n\r\n`),
    ),
  fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((bytes) => Buffer.concat([bytes, Buffer.from('\r\n\r\n')])),
);

/** `ids` are real ones, so that some requests get past the door. */
export function malformedRequests(document: OpenApi, ids: readonly string[]): Arbitrary<Malformed> {
  const resolve = (ref: string): Schema => {
    const schema = document.components.schemas[ref.replace('#/components/schemas/', '')];
    if (schema === undefined) throw new Error(`${ref} is not in the document`);
    return schema;
  };
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) =>
      requestsOf(method.toUpperCase(), path, operation, resolve, ids),
    ),
  );
  return fc.oneof(...operations);
}

function requestsOf(
  method: string,
  path: string,
  operation: DocumentedOperation,
  resolve: (ref: string) => Schema,
  ids: readonly string[],
): Arbitrary<Malformed> {
  const { parameters = [], requestBody } = operation;
  const fits = (schema: Schema) => arbitraryOf(schema, resolve);
  const pieces = parameters
    .filter((each) => each.in === 'path')
    .map(({ name, schema }) => {
      const known = name.endsWith('_id') ? fc.constantFrom(...ids) : fits(schema).map(String);
      return fc
        .oneof({ weight: 4, arbitrary: known }, fits(schema).map(String), pathPieces)
        .map((piece) => [`{${name}}`, piece] as const);
    });
  const query = fc.oneof(
    { weight: 8, arbitrary: fc.constant('') },
    {
      weight: 4,
      arbitrary: queries(
        parameters.filter((each) => each.in === 'query'),
        fits,
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
  const json = requestBody?.content['application/json']?.schema;
  const good = json === undefined ? fc.constant(undefined) : fits(json);
  const body: Arbitrary<Buffer | undefined> = fc.oneof(
    {
      weight: 100,
      arbitrary: good.map((value) => (value === undefined ? undefined : toBytes(value))),
    },
    {
      weight: 200,
      arbitrary: json === undefined ? fc.constant(undefined) : good.chain(spoiled).map(toBytes),
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
      headers: request.headers,
      body: request.body,
    }));
}

function queries(
  parameters: readonly { readonly name: string; readonly schema: Schema }[],
  fits: (schema: Schema) => Arbitrary<unknown>,
): Arbitrary<string> {
  if (parameters.length === 0) return fc.constant('?unknown=1');
  const pair = fc.constantFrom(...parameters).chain(({ name, schema }) =>
    fc.oneof({ weight: 2, arbitrary: fits(schema) }, junk).map((value) => {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return `${name}=${encodeURIComponentLoosely(text)}`;
    }),
  );
  return fc.array(pair, { minLength: 1, maxLength: 3 }).map((pairs) => `?${pairs.join('&')}`);
}
