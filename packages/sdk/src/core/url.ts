/** Paths, queries and forms. */

import { TonearmError } from './errors.ts';

/** An identifier as a segment of a path. An empty one would call another operation, so it is refused. */
export function segment(value: string | number, name: string): string {
  const text = String(value);
  if (text === '' || value === undefined || value === null) {
    throw new TonearmError(`${name} is missing.`);
  }
  if (text === '.' || text === '..') throw new TonearmError(`${name} must not be ${text}.`);
  return encodeURIComponent(text);
}

/** `undefined` and `null` are left out; a list has commas between its values. */
export function queryString(query: object | undefined): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, textOf(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);

export function formOf(body: object): URLSearchParams {
  const entries = Object.entries(body).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(entries) as Record<string, string>);
}
