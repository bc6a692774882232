/**
 * The style of every text that partners read (ADR 0033): full sentences, American spelling, no names of real stores, no
 * regular expressions. It checks the form only; whether a sentence helps is for its author to judge.
 */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { storedTypes } from '../src/app/event-catalogue.ts';
import { renderOpenApi } from '../src/app/openapi.ts';
import { presentRules } from '../src/catalog/domain/preflight/present-rules.ts';
import { problems } from '../src/kernel/problem.ts';

/** Where the text is, and the text. */
type Text = readonly [at: string, text: string];

function describedIn(value: unknown, at: string, key: 'description' | 'summary'): Text[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    // The texts in examples are a partner's.
    if (name === 'example' || name === 'examples') return [];
    return name === key && typeof inner === 'string'
      ? [[at, inner] as const]
      : describedIn(inner, `${at}/${name}`, key);
  });
}

const british =
  /\b(colours?|licences?|catalogues?|behaviours?|favours?|honours?|centres?|(?:organ|recogn|normal|author|real|initial|serial|custom|minim|maxim|optim|summar)is(?:e|ed|es|ing|ation)s?|analys(?:e|ed|es|ing)|modell\w+|cancell(?:ed|ing)|labell\w+|artefacts?|whilst|grey|programmes?|lower-case|upper-case)\b/i;
const banned =
  /\b(whoever|whomever|somebody|nobody|anybody|owed|suffices?|thereof|herein|hence|nowhere|anew)\b/i;
const realStores =
  /\b(Apple|iTunes|Spotify|YouTube|Amazon|Deezer|Tidal|TikTok|Pandora|SoundCloud|Beatport|UnitedMasters|Symphonic|Revelator|Ingrooves)\b/;
const expression = /\^\[|\\[dwsS]\b|\[a-z|\(\?[:=!]|\{\d+,\d*\}/;

/** Names on the wire keep their spelling. */
const withoutCode = (text: string): string =>
  text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\b\w+_\w+\b/g, 'code')
    .replaceAll(/\/[\w/{}.-]+/g, 'code');

function faultsOf(text: string): string[] {
  const plain = withoutCode(text);
  return [
    ...[british, banned].flatMap((words) => words.exec(plain)?.[0] ?? []),
    ...[realStores, expression].flatMap((words) => words.exec(text)?.[0] ?? []),
  ];
}

/** Each paragraph is made of sentences. */
const isSentences = (text: string): boolean =>
  text
    .split('\n\n')
    .every((paragraph) => /^[\p{Lu}\d`*["“{]/u.test(paragraph) && /[.?!]$/.test(paragraph));

/** The properties of every schema below `value`, and the parameters, that have neither a description nor a reference. */
function undescribedIn(value: unknown, at: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key === 'example' || key === 'examples') return [];
    const parts = key === 'properties' || key === 'parameters' ? Object.entries(Object(inner)) : [];
    const undescribed = parts
      .filter(([, part]) => !('description' in Object(part)) && !('$ref' in Object(part)))
      .map(([name]) => `${at}/${key}/${name}`);
    return [...undescribed, ...undescribedIn(inner, `${at}/${key}`)];
  });
}

const isTitle = (text: string): boolean => /^\p{Lu}/u.test(text) && !text.endsWith('.');

function assertStyle(texts: readonly Text[], isWellFormed: (text: string) => boolean): void {
  assert.ok(texts.length > 10, `only ${texts.length} texts`);
  const offending = texts.flatMap(([at, text]) => {
    const faults = [...faultsOf(text), ...(isWellFormed(text) ? [] : ['not full sentences'])];
    return faults.length === 0 ? [] : [`${at}: ${faults.join(', ')}\n    ${text}`];
  });
  assert.deepEqual(offending, [], `\n${offending.join('\n')}\n`);
}

describe('texts that partners read', () => {
  let document: { readonly paths: object };
  before(async () => {
    document = JSON.parse(await renderOpenApi());
  });

  test('every description of the OpenAPI document is made of full sentences', () => {
    assertStyle(describedIn(document, '', 'description'), isSentences);
  });

  test('every property and every parameter of the OpenAPI document has a description', () => {
    const undescribed = undescribedIn(document, '');
    assert.deepEqual(undescribed, [], `\n${undescribed.join('\n')}\n`);
  });

  test('every summary of the OpenAPI document is a title without a period', () => {
    assertStyle(describedIn(document.paths, '', 'summary'), isTitle);
  });

  test('the cause and the cure of every error code', () => {
    const texts = Object.entries(problems).flatMap(([code, { cause, cure }]): Text[] => [
      [`${code} cause`, cause],
      [`${code} cure`, cure],
    ]);
    assertStyle(texts, isSentences);
  });

  test('the description and the source of every preflight rule', () => {
    const texts = presentRules().flatMap(({ id, description, source }): Text[] => [
      [`${id} description`, description],
      [`${id} source`, source],
    ]);
    assertStyle(texts, (text) => isSentences(text) || /^[a-z]+_[a-z_]+ /.test(text));
  });

  test('the description of every event type', () => {
    assertStyle(
      storedTypes.map(({ type, description }) => [type, description] as const),
      isSentences,
    );
  });

  test('the messages of preflight findings', async () => {
    const folder = `${import.meta.dirname}/../src/catalog/domain/preflight/rules`;
    const files = (await readdir(folder)).filter((file) => !file.endsWith('.test.ts'));
    const texts = await Promise.all(
      files.map(async (file): Promise<readonly Text[]> => {
        const code = await readFile(`${folder}/${file}`, 'utf8');
        const literals = code.matchAll(/\bmessage(?: =|:)\s+(['"`])((?:(?!\1)[^\\]|\\.)+)\1/g);
        return [...literals].map(([, , text = '']) => [file, text] as const);
      }),
    );
    assertStyle(texts.flat(), (text) => /^[\p{Lu}$"a-z]/u.test(text) && text.endsWith('.'));
  });

  test('a text that breaks the rules is found', () => {
    for (const text of ['The colour of the licence.', 'Whoever holds it.', 'As Spotify does.']) {
      assert.notDeepEqual(faultsOf(text), [], text);
    }
    assert.deepEqual(faultsOf('Send `colour_space` and mechanical_licence.'), []);
    assert.equal(isSentences('newest first'), false);
    const properties = { a: { type: 'string' }, b: { $ref: '#/b' }, c: { description: 'Text.' } };
    assert.deepEqual(undescribedIn({ items: { properties } }, ''), ['/items/properties/a']);
    assert.deepEqual(undescribedIn({ parameters: [{ name: 'limit' }] }, ''), ['/parameters/0']);
  });
});
