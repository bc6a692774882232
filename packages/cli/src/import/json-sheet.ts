/** A JSON sheet: `{ "release": {…}, "cover": "cover.jpg", "tracks": [{ "file": "01.wav", … }] }`, with the API's fields. */

import { type FieldKind, releaseFields, requiredReleaseFields, trackFields } from './columns.ts';
import { checkJsonField } from './read-field.ts';
import type { Fields, Problem, Sheet } from './sheet.ts';

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkFields(
  where: string,
  fields: Fields,
  kinds: Readonly<Record<string, FieldKind>>,
  problems: Problem[],
): void {
  for (const [name, value] of Object.entries(fields)) {
    // Its parts are listed as ai_use.artwork and so on.
    if (name === 'ai_use' && isObject(value)) {
      const inner = Object.fromEntries(
        Object.entries(value).map(([key, each]) => [`ai_use.${key}`, each]),
      );
      checkFields(where, inner, kinds, problems);
      continue;
    }
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      problems.push({ where: `${where}.${name}`, problem: 'there is no such field' });
      continue;
    }
    const read = checkJsonField(kind, value);
    if (!read.ok) problems.push({ where: `${where}.${name}`, problem: read.problem });
  }
}

const readName = (where: string, value: unknown, problems: Problem[]): string | undefined => {
  if (value === undefined || typeof value === 'string') return value;
  problems.push({ where, problem: 'the name of a file is needed' });
  return undefined;
};

export function readJsonSheet(text: string): Sheet {
  const problems: Problem[] = [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    problems.push({ where: 'the sheet', problem: (error as Error).message });
  }
  const sheet = isObject(parsed) ? parsed : {};
  const release = isObject(sheet['release']) ? sheet['release'] : {};
  const listed = Array.isArray(sheet['tracks']) ? (sheet['tracks'] as unknown[]) : [];
  for (const field of requiredReleaseFields) {
    if (release[field] === undefined)
      problems.push({ where: `release.${field}`, problem: 'it is missing' });
  }
  checkFields('release', release, releaseFields, problems);
  if (listed.length === 0) problems.push({ where: 'tracks', problem: 'there is no track' });
  const kinds = { ...trackFields, contributors: { type: 'list' } as const };
  const tracks = listed.map((track, index) => {
    const where = `tracks[${index}]`;
    const { file, ...fields } = isObject(track) ? track : {};
    checkFields(where, fields, kinds, problems);
    if (fields['title'] === undefined) problems.push({ where, problem: 'title is missing' });
    return { where, file: readName(`${where}.file`, file, problems), fields };
  });
  return { release, cover: readName('cover', sheet['cover'], problems), tracks, problems };
}
