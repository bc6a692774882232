import assert from 'node:assert/strict';
import crypto, { createCipheriv, createDecipheriv } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Client } from './ssh2.ts';

test('ssh2 gets its own functions; node:crypto is as before for everybody else', () => {
  assert.equal(crypto.createCipheriv, createCipheriv);
  assert.equal(crypto.createDecipheriv, createDecipheriv);
  const require = createRequire(import.meta.url);
  const loadedOnce = require('ssh2') as typeof import('ssh2');
  assert.equal(loadedOnce.Client, Client);
});
