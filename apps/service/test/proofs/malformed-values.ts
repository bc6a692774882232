/** Invalid values, bodies, path segments and headers, and bytes that are not HTTP. */

import fc, { type Arbitrary } from 'fast-check';

const deep = 20_000;
const megabyte = 1_000_000;

/** Values that fit no schema, or that fit one but may break the code or the database behind it. */
export const invalidValues: Arbitrary<unknown> = fc.oneof(
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

export const rawBodies: Arbitrary<Buffer> = fc.oneof(
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

/** Generated rarely, because one costs as much as a thousand other requests. */
export const hugeBodies: Arbitrary<Buffer> = fc.constantFrom(
  Buffer.alloc(megabyte, 'x'),
  Buffer.from(`{"title":"${'x'.repeat(megabyte)}"}`),
  Buffer.from(`[${'1,'.repeat(120_000)}1]`),
);

export const pathPieces = fc.oneof(
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

/** encodeURIComponent throws on a lone surrogate; toWellFormed replaces it by U+FFFD. */
export function encodeURIComponentLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

export const oddHeaders: Arbitrary<Record<string, string>> = fc.oneof(
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

/** Bytes that break HTTP's grammar; each is sent on its own connection. */
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
