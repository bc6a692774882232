/** The body of a request from the command line: `--data` for all of it, `--field` for a part. */

import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { usageFailure } from './failure.ts';

export type BodyOptions = { readonly data?: string; readonly field?: string[] };

export type Body = Record<string, unknown>;

const collect = (value: string, previous: string[] = []): string[] => [...previous, value];

export const addBodyOptions = (command: Command): Command =>
  command
    .option('-d, --data <json>', 'the body as JSON; @FILE reads a file, @- standard input')
    .option(
      '-f, --field <name=value>',
      'a field of the body as text; name:=value is JSON',
      collect,
    );

function parseJson(source: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw usageFailure(`${source} is not JSON: ${(error as Error).message}`);
  }
}

async function readData(data: string): Promise<unknown> {
  if (!data.startsWith('@')) return parseJson('--data', data);
  const path = data.slice(1);
  if (path === '-') return parseJson('standard input', await text(process.stdin));
  try {
    return parseJson(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw usageFailure(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function setPath(body: Body, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let target = body;
  for (const name of names) {
    const inner = Object.hasOwn(target, name) ? target[name] : undefined;
    target = (target[name] = typeof inner === 'object' && inner !== null ? inner : {}) as Body;
  }
  target[last] = value;
}

function setField(body: Body, field: string): void {
  const [, name, isJson, value = ''] = /^([\w.]+?)(:?)=([^]*)$/.exec(field) ?? [];
  if (name === undefined || /(^|\.)(__proto__|constructor|prototype)(\.|$)/.test(name)) {
    throw usageFailure(`${field} is not name=value.`);
  }
  setPath(body, name, isJson === ':' ? parseJson(`--field ${name}`, value) : value);
}

/** `--data` first, then the named options of a command that are not undefined, then `--field` in their order. */
export async function readBody({ data, field = [] }: BodyOptions, named: Body = {}): Promise<Body> {
  const given = data === undefined ? {} : await readData(data);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw usageFailure('The body must be a JSON object.');
  }
  const body: Body = { ...given };
  for (const [name, value] of Object.entries(named)) if (value !== undefined) body[name] = value;
  for (const each of field) setField(body, each);
  return body;
}

export const listOption = (value: string): string[] =>
  value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
