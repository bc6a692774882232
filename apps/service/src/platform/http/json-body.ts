/**
 * Reads JSON bodies and refuses what would fail later: invalid UTF-8, NUL (PostgreSQL refuses it, SQLSTATE 22021),
 * unpaired surrogates (rewritten silently on encoding), nesting that overflows recursion, and `__proto__`, which would
 * set an object's prototype instead of a field.
 */

import { Problem } from '../../kernel/problem.ts';

export const bodyBytesMax = 256 * 1024; // contract §7
const depthMax = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

export const notAnObject = [
  { field: 'body', issue: 'must be a JSON object such as {"title": "Night Drive"}' },
];

const invalid = (message: string) => new Problem('invalid_json', message);

export function parseJsonBody(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8. Encode it as UTF-8.');
  }
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8 quotes at most 40 characters around the error, which helps the developer of the client.
    throw invalid(
      `The body is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
  if (value === null)
    throw new Problem(
      'invalid_field',
      'The body must be a JSON object. Send one, for example {}.',
      { details: notAnObject },
    );
  refuseHostile(value, 0);
  return value;
}

function refuseHostileText(text: string): void {
  if (text.includes('\0')) throw invalid('Text must not contain NUL characters. Remove them.');
  if (!text.isWellFormed())
    throw invalid('Text must not contain unpaired surrogates. Send whole characters.');
}

function refuseHostile(value: unknown, depth: number): void {
  if (typeof value === 'string') return refuseHostileText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth === depthMax)
    throw invalid(`The body is nested more than ${depthMax} levels deep. Flatten it.`);
  if (Array.isArray(value)) {
    for (const item of value) refuseHostile(item, depth + 1);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    if (name === '__proto__') throw invalid('A field must not be called __proto__. Remove it.');
    refuseHostileText(name);
    refuseHostile(item, depth + 1);
  }
}
