/** The keys of the store's server and of its sender, made once and kept in the store's folder. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '../../../platform/transport/sftp-session.ts';
import { utils } from '../../../platform/transport/ssh2.ts';

export type StoreKeys = {
  /** Private, of the server. */
  readonly hostKey: string;
  /** As `ssh-keygen -l` shows it. */
  readonly hostKeyFingerprint: string;
  /** Public, of the sender. */
  readonly userKey: string;
  /** Where the sender finds its private key. */
  readonly userKeyFile: string;
};

export function openStoreKeys(folder: string): StoreKeys {
  const userKeyFile = join(folder, 'client.key');
  const host = keyIn(join(folder, 'host.key'));
  const user = keyIn(userKeyFile);
  return {
    hostKey: host.privateKey,
    hostKeyFingerprint: fingerprintOf(host.publicKey),
    userKey: `ssh-ed25519 ${user.publicKey.toString('base64')}`,
    userKeyFile,
  };
}

type FoundKey = { readonly privateKey: string; readonly publicKey: Buffer };

function keyIn(file: string): FoundKey {
  if (!existsSync(file)) writeFileSync(file, generatePrivateKey(), { mode: 0o600 });
  const privateKey = readFileSync(file, 'utf8');
  const key = utils.parseKey(privateKey);
  if (key instanceof Error) {
    throw new Error(`${file}: ${key.message}. Remove the file: a new key will be made.`);
  }
  return { privateKey, publicKey: key.getPublicSSH() };
}

/** One key in 256 starts with a zero; far fewer tries than these are needed. */
const triesMax = 10;

/**
 * ssh2 removes zeros at the start of the public key that it generates, and cannot read such a key then
 * (mscdex/ssh2#1513). So a key is taken only if it can be read.
 */
export function generatePrivateKey(): string {
  for (let i = 0; i < triesMax; i++) {
    const key = utils.generateKeyPairSync('ed25519', { comment: 'tonearm-sandbox' }).private;
    if (!(utils.parseKey(key) instanceof Error)) return key;
  }
  throw new Error(`ssh2 made no key that it can read in ${triesMax} tries`);
}
