/**
 * Contract §1: "Text is NFC; no control characters, bidi overrides, non-characters, and at least one visible
 * character (422)." So no route accepts text that the XML for a store could not contain.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TSchema } from 'typebox';
import { datedExample } from '../../src/kernel/example-story.ts';
import { compileBody } from '../../src/platform/http/validation.ts';
import { assertOnceUnder } from '../cpu-time.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

const decomposed = 'Cafe\u0301';
const composed = 'Caf\u00e9';

type Detail = { readonly field: string; readonly issue: string };

describe('contract §1: text', () => {
  let service: TestService;
  let label: OrgClient;
  let releaseId: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T09:00:00Z' });
    label = await service.givenOrganization();
    releaseId = (await label.call('POST', '/v1/releases', draft())).json.id;
  });
  after(() => service.close());

  const create = (fields: object) => label.call('POST', '/v1/releases', draft(fields));
  const assertRefused = async (fields: object, field: string, issue: RegExp) => {
    const { status, json, text } = await create(fields);
    assert.deepEqual([status, json.error?.code], [422, 'invalid_field'], text);
    const found = json.error.details.filter((detail: Detail) => detail.field === field);
    assert.equal(found.length, 1, text);
    assert.match(found[0].issue, issue);
  };

  const forbidden: readonly [what: string, character: string, name: string][] = [
    ['the first control character', '\u0001', 'U+0001'],
    ['a bell', '\u0007', 'U+0007'],
    ['a tab', '\t', 'U+0009'],
    ['a line break', '\n', 'U+000A'],
    ['the last of C0', '\u001f', 'U+001F'],
    ['DEL', '\u007f', 'U+007F'],
    ['the first of C1', '\u0080', 'U+0080'],
    ['the last of C1', '\u009f', 'U+009F'],
    ['an embedding', '\u202a', 'U+202A'],
    ['an override', '\u202e', 'U+202E'],
    ['an isolate', '\u2066', 'U+2066'],
    ['the end of an isolate', '\u2069', 'U+2069'],
    ['a non-character', '\ufdd0', 'U+FDD0'],
    ['another non-character', '\ufdef', 'U+FDEF'],
    ['U+FFFE', '\ufffe', 'U+FFFE'],
    ['U+FFFF', '\uffff', 'U+FFFF'],
    ['the non-characters of the last plane', '\u{10ffff}', 'U+10FFFF'],
  ];
  for (const [what, character, name] of forbidden) {
    test(`${what} in a title: 422 invalid_field that names ${name}`, () =>
      assertRefused(
        { title: `Night${character}Drive` },
        'title',
        new RegExp(name.replace('+', '\\+')),
      ));
  }

  test('marks and joiners that scripts and emoji need are allowed', async () => {
    for (const title of [
      '\u200fשלום',
      'می\u200cخواهم',
      '👩\u200d🚀',
      'ẞ\u00ad',
      'नमस्ते',
      'a\u2028b',
    ]) {
      const { status, text, json } = await create({ title });
      assert.equal(status, 201, text);
      assert.equal(json.title, title.normalize('NFC'));
    }
  });

  const invisible = {
    'a space': ' ',
    'a no-break space': '\u00a0',
    'a zero-width space': '\u200b',
    'a byte order mark': '\ufeff',
    'soft hyphens': '\u00ad\u00ad',
    'spaces and joiners': ' \u200d \u2060',
    'a Hangul filler': '\u3164',
    'a variation selector': '\ufe0f',
    'a tag': '\u{e0020}',
    'a blank Braille pattern': '\u2800',
  };
  for (const [what, text] of Object.entries(invisible)) {
    test(`no visible character: ${what}`, async () => {
      await assertRefused({ title: text }, 'title', /visible|blank/);
      await assertRefused({ version: text }, 'version', /visible|blank/);
      await assertRefused({ label: text }, 'label', /visible|blank/);
      const artists = [{ name: text, role: 'main' }];
      await assertRefused({ artists }, 'artists[0].name', /visible|blank/);
    });
  }

  test('`reason`, `description` and metadata values may have line breaks and tabs, and nothing else', async () => {
    const metadata = { note: 'one\n\ttwo' };
    assert.deepEqual((await create({ metadata })).json.metadata, metadata);
    await assertRefused({ metadata: { note: 'one\r\ntwo' } }, 'metadata.note', /U\+000D/);
    const webhook = await label.call('POST', '/v1/webhooks', {
      url: service.url,
      event_type: '*',
      description: 'one\n\ttwo',
    });
    assert.equal(webhook.json.description, 'one\n\ttwo', webhook.text);
  });

  test('U+0000 and half a surrogate pair: 400 invalid_json', async () => {
    for (const title of ['a\0b', '\ud83c']) {
      const { status, json } = await create({ title });
      assert.deepEqual([status, json.error.code], [400, 'invalid_json']);
    }
  });

  test('contract §7: with a missing field the code is missing_required_field, and details name both', async () => {
    const { status, json } = await label.call('POST', '/v1/releases', { title: 'a\u0007' });
    assert.deepEqual([status, json.error.code], [422, 'missing_required_field']);
    const fields = json.error.details.map(({ field }: Detail) => field);
    assert.deepEqual(fields, ['artists', 'release_date', 'title']);
  });

  test('an item of a list is named by its index', async () => {
    const tracks = ['One', 'Two\u202e'].map((title) => ({ release_id: releaseId, title }));
    const { json } = await label.call('POST', '/v1/tracks/bulk', { tracks });
    assert.equal(json.error.code, 'invalid_field');
    assert.equal(json.error.details[0].field, 'tracks[1].title');
    assert.match(json.error.details[0].issue, /U\+202E/);
  });

  test('in a query: 400 invalid_parameter', async () => {
    const { status, json } = await label.call('GET', '/v1/releases?label=a%07b');
    assert.deepEqual([status, json.error.code], [400, 'invalid_parameter']);
    assert.match(json.error.details[0].issue, /U\+0007/);
  });

  test('stored text is NFC, and filters find it in either form', async () => {
    const fields = {
      title: decomposed,
      version: decomposed,
      label: decomposed,
      reference: decomposed,
      artists: [{ name: decomposed, role: 'main' }],
      metadata: { note: decomposed },
    };
    const { json, status, text } = await create(fields);
    assert.equal(status, 201, text);
    const { title, version, reference, artists, metadata } = json;
    assert.deepEqual(
      [title, version, json.label, reference, artists[0].name, metadata.note],
      Array(6).fill(composed),
    );
    for (const name of ['reference', 'label']) {
      for (const value of [decomposed, composed]) {
        const path = `/v1/releases?${name}=${encodeURIComponent(value)}`;
        assert.equal((await label.call('GET', path)).json.data[0]?.id, json.id, `${name} ${value}`);
      }
    }
    const duplicate = await create({ reference: composed });
    assert.deepEqual([duplicate.status, duplicate.json.error.details[0].field], [422, 'reference']);
    const patched = await label.call('PATCH', `/v1/releases/${json.id}`, {
      title: `${decomposed}!`,
    });
    assert.equal(patched.json.title, `${composed}!`);
  });

  test('limits count the stored text: 500 letters sent as 1,000 code points are allowed', async () => {
    const { status, json, text } = await create({ title: 'e\u0301'.repeat(500) });
    assert.equal(status, 201, text);
    assert.equal(json.title, '\u00e9'.repeat(500));
    // U+0958 is two code points in NFC.
    const longer = await create({ title: '\u0958'.repeat(300) });
    assert.deepEqual([longer.status, longer.json.error?.code], [422, 'invalid_field']);
  });

  test('a URL is stored as it was sent', async () => {
    const url = `${service.url}/${decomposed}`;
    const { json, text } = await label.call('POST', '/v1/webhooks', { url, event_type: '*' });
    assert.equal(json.url, url, text);
    const evil = { url: `${service.url}/\u202e`, event_type: '*' };
    const refused = await label.call('POST', '/v1/webhooks', evil);
    assert.deepEqual([refused.status, refused.json.error?.code], [422, 'webhook_url_not_allowed']);
  });

  test('an operator’s command stores NFC too, and refuses the same characters', async () => {
    const other = await service.givenOrganization({ label: decomposed });
    const { json } = await other.call('POST', '/v1/releases', draft());
    assert.equal(json.label, composed);
    await assert.rejects(service.givenOrganization({ label: 'a\u0007' }), /--label .*U\+0007/);
  });

  test('validating a megabyte takes milliseconds, for every kind of text', async () => {
    const validate = compileBody(bodyOf('createTracks'));
    const tracks = (title: string, count: number) =>
      Array.from({ length: count }, () => ({ title, metadata: { a: title, b: `${title}\n` } }));
    for (const body of [
      { tracks: tracks('x'.repeat(3_000), 100) },
      { tracks: tracks('日'.repeat(1_000), 100) },
      { tracks: tracks('\n', 20_000) },
      { tracks: tracks('\u200b', 20_000) },
      { tracks: tracks('e\u0301', 20_000) },
    ]) {
      await assertOnceUnder(500, () => assert.ok('error' in validate(body)));
    }
  });

  const bodyOf = (id: string): TSchema => {
    const body = service.api.operations.find((operation) => operation.id === id)?.body;
    assert.ok(body !== undefined, id);
    return body;
  };

  test('every text field of every request body is checked and normalized', () => {
    let checked = 0;
    for (const { id, body, examples } of service.api.operations) {
      if (body === undefined) continue;
      const example = datedExample(examples?.body, new Date());
      const validate = compileBody(body);
      for (const { path, isVerbatim } of textsOf(body)) {
        if (isVerbatim) continue;
        const refused = validate(withText(example, path, 'a\u0007b'));
        assert.ok(
          'error' in refused && /U\+0007/.test(JSON.stringify(refused.error)),
          `${id} ${path.join('.')}`,
        );
        const accepted = validate(withText(example, path, decomposed));
        if ('value' in accepted)
          assert.equal(textAt(accepted.value, path), composed, `${id} ${path.join('.')}`);
        checked++;
      }
    }
    assert.ok(checked > 80, `${checked} texts`);
  });
});

type Schema = {
  readonly type?: string;
  readonly enum?: unknown;
  readonly 'x-text'?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
};
type Found = { readonly path: readonly string[]; readonly isVerbatim: boolean };

function textsOf(schema: Schema, path: readonly string[] = []): Found[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((branch) => textsOf(branch, path));
  if (schema.items !== undefined) return textsOf(schema.items, [...path, '0']);
  if (schema.type === 'string') return [{ path, isVerbatim: schema['x-text'] === 'verbatim' }];
  return [
    ...Object.entries(schema.properties ?? {}),
    ...Object.values(schema.patternProperties ?? {}).map((each) => ['key', each] as const),
  ].flatMap(([name, inner]) => textsOf(inner, [...path, name]));
}

/** The example with `text` at the path; missing objects and arrays are created. */
function withText(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  const container = typeof value === 'object' && value !== null ? value : name === '0' ? [] : {};
  const inner = withText((container as Record<string, unknown>)[name], rest, text);
  return Array.isArray(container) ? [inner] : { ...container, [name]: inner };
}

const textAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((container, name) => (container as Record<string, unknown>)[name], value);
