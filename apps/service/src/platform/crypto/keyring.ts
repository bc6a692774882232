/**
 * Keys from the environment, each with an id so that they can be rotated: the first seals and signs,
 * all of them open and verify. Each purpose has its own key, derived with HKDF.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { Problem, unavailableMessage } from '../../kernel/problem.ts';

export type Key = { readonly id: string; readonly secret: Buffer };

export type Keyring = {
  /** AES-256-GCM. `context` is authenticated too: a sealed value cannot be used in another context. */
  readonly seal: (context: string, plain: Buffer) => Buffer;
  readonly open: (context: string, sealed: Buffer) => Buffer;
  /** A MAC of 16 bytes, and whether one was made by any of our keys. */
  readonly sign: (text: string) => Buffer;
  readonly verify: (text: string, tag: Buffer) => boolean;
};

const keyBytes = 32;
const ivBytes = 12;
const gcmTagBytes = 16;
const macBytes = 16;
const idLengthBytes = 1;

/** As key objects: a raw key would be imported again for every use. */
const derive = (key: Key, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', key.secret, '', `tonearm/${purpose}`, keyBytes)));

const mac = (secret: KeyObject, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest().subarray(0, macBytes);

/** While a new key is rolled out, this process may not have it yet; another process can answer. */
const unknownKey = () =>
  new Problem('service_unavailable', unavailableMessage, {
    headers: { 'retry-after': '2' },
  });

const ivsAtOnce = 256;

/** Random bytes for many IVs are drawn at once: a call to the generator costs more than its bytes. */
function createIvs(): () => Buffer {
  let random = Buffer.alloc(0);
  let used = 0;
  return () => {
    if (used === random.length) {
      // New memory each time: an IV that was handed out never changes.
      random = randomBytes(ivsAtOnce * ivBytes);
      used = 0;
    }
    used += ivBytes;
    return random.subarray(used - ivBytes, used);
  };
}

export function createKeyring(keys: readonly [Key, ...Key[]]): Keyring {
  const sealing = new Map(keys.map((key) => [key.id, derive(key, 'seal')]));
  const signing = keys.map((key) => derive(key, 'sign'));
  const currentId = keys[0].id;
  const currentSealing = derive(keys[0], 'seal');
  const currentSigning = derive(keys[0], 'sign');
  const takeIv = createIvs();

  return {
    sign: (text) => mac(currentSigning, text),
    verify: (text, tag) =>
      tag.length === macBytes && signing.some((secret) => timingSafeEqual(mac(secret, text), tag)),
    seal: (context, plain) => {
      const iv = takeIv();
      const cipher = createCipheriv('aes-256-gcm', currentSealing, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      const id = Buffer.from(currentId);
      return Buffer.concat([Buffer.of(id.length), id, iv, cipher.getAuthTag(), body]);
    },
    open: (context, sealed) => {
      const ivStart = idLengthBytes + sealed.readUInt8(0);
      const tagStart = ivStart + ivBytes;
      const bodyStart = tagStart + gcmTagBytes;
      const secret = sealing.get(sealed.subarray(idLengthBytes, ivStart).toString());
      if (secret === undefined) throw unknownKey();
      const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(ivStart, tagStart))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(tagStart, bodyStart));
      return Buffer.concat([decipher.update(sealed.subarray(bodyStart)), decipher.final()]);
    },
  };
}
