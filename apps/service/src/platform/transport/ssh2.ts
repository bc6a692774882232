/**
 * ssh2 with its keys as KeyObjects. It calls `createCipheriv` and `createDecipheriv` for each packet, with the key as a
 * buffer; Node 24 throws and catches two errors in each call to find out what the buffer is not. Without them an upload
 * takes three quarters of the time.
 */

import type { CipherKey, KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const crypto = require('node:crypto') as typeof import('node:crypto');

const keyObjects = new WeakMap<object, KeyObject>();

function toKeyObject(key: CipherKey): CipherKey {
  if (!Buffer.isBuffer(key)) return key;
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = crypto.createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

type Create = (algorithm: string, key: CipherKey, ...rest: readonly unknown[]) => unknown;

const withKeyObject =
  (create: Create): Create =>
  (algorithm, key, ...rest) =>
    create(algorithm, toKeyObject(key), ...rest);

function loadSsh2(): typeof import('ssh2') {
  const { createCipheriv, createDecipheriv } = crypto;
  // ssh2 keeps the functions that `node:crypto` has while it is loaded. They are put back afterwards.
  Object.assign(crypto, {
    createCipheriv: withKeyObject(createCipheriv as Create),
    createDecipheriv: withKeyObject(createDecipheriv as Create),
  });
  try {
    return require('ssh2') as typeof import('ssh2');
  } finally {
    Object.assign(crypto, { createCipheriv, createDecipheriv });
  }
}

/** Import it from here only: whoever loads ssh2 first decides which functions it has. */
export const { Client, Server, utils } = loadSsh2();
