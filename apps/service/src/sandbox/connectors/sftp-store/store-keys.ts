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
  const hostKey = keyIn(join(folder, 'host.key'));
  const publicHostKey = publicKeyOf(hostKey);
  const publicUserKey = publicKeyOf(keyIn(userKeyFile));
  return {
    hostKey,
    hostKeyFingerprint: fingerprintOf(publicHostKey),
    userKey: `ssh-ed25519 ${publicUserKey.toString('base64')}`,
    userKeyFile,
  };
}

function keyIn(file: string): string {
  if (!existsSync(file)) {
    const { private: privateKey } = utils.generateKeyPairSync('ed25519', {
      comment: 'tonearm-sandbox',
    });
    writeFileSync(file, privateKey, { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

function publicKeyOf(privateKey: string): Buffer {
  const key = utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return key.getPublicSSH();
}
