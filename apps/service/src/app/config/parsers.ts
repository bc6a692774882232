/** What the text of a setting may be. */

import { isAbsolute } from 'node:path';
import { type Environment, environments } from '../../kernel/environment.ts';
import type { Key } from '../../platform/crypto/keyring.ts';
import { complain, type Parse } from './settings.ts';

export const oneOf =
  <const Values extends readonly string[]>(values: Values): Parse<Values[number]> =>
  (text) =>
    values.find((value) => value === text) ?? complain(`must be one of ${values.join(', ')}`);

export const environmentName: Parse<Environment> = oneOf(environments);

/** For roles that simulate a bank or a store. `reason` says why they must not run in live. */
export const sandboxOnly =
  (reason: string): Parse<Environment> =>
  (text) =>
    environmentName(text) === 'sandbox' ? 'sandbox' : complain(`must be sandbox: ${reason}`);

export const logLevel = oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);

export const onOrOff: Parse<boolean> = (text) => oneOf(['on', 'off'])(text) === 'on';

export const wholeNumber =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? value
      : complain(`must be a whole number, ${min} to ${max}`);
  };

export const notEmpty: Parse<string> = (text) => (text === '' ? complain('is empty') : text);

export const absolutePath: Parse<string> = (text) =>
  isAbsolute(text) ? text : complain('must be an absolute path');

/** An empty text is undefined. */
export const optionally =
  <T>(parse: Parse<T>): Parse<T | undefined> =>
  (text) =>
    text === '' ? undefined : parse(text);

const urlOf =
  (protocol: RegExp, example: string): Parse<string> =>
  (text) =>
    URL.canParse(text) && protocol.test(new URL(text).protocol)
      ? text
      : complain(`must read ${example}`);

export const postgresUrl = urlOf(/^postgres(ql)?:$/, 'postgres://user:password@host:port/database');

export const redisUrl = urlOf(/^rediss?:$/, 'redis://user:password@host:port');

export const httpUrl: Parse<string> = (text) =>
  urlOf(/^https?:$/, 'http://host:port')(text).replace(/\/$/, '');

const keySecretBytes = 32;

export type Keys = readonly [Key, ...Key[]];

/** `id:base64,id:base64`, 32 bytes each (`openssl rand -base64 32`). The first key seals. */
export const keys: Parse<Keys> = (text) => {
  const parsed = text.split(',').map((entry): Key => {
    const [, id, base64] = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]+=*)$/.exec(entry.trim()) ?? [];
    const secret = Buffer.from(base64 ?? '', 'base64');
    if (id === undefined || secret.length !== keySecretBytes) {
      return complain('must read id:base64[,id:base64…], each secret 32 bytes');
    }
    return { id, secret };
  });
  const [first, ...rest] = parsed;
  return first === undefined ? complain('is empty') : [first, ...rest];
};
