/** HMAC-SHA256 with what every web runtime has. */

type Bytes = Uint8Array<ArrayBuffer>;

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/** Whether one of the signatures was made with one of the keys. The runtime compares in constant time. */
export async function isSigned(
  data: Bytes,
  keys: readonly Bytes[],
  signatures: readonly Bytes[],
): Promise<boolean> {
  for (const bytes of keys) {
    if (bytes.length === 0) continue;
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify(algorithm, key, signature, data)) return true;
    }
  }
  return false;
}
