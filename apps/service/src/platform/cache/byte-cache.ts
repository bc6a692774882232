/**
 * What was read lately, up to a number of bytes; the entry that was used longest ago leaves first. Entries must never
 * change at their source. Readers that ask for one entry at the same time share one load; a failed load is not kept.
 */

export type ByteCache<Value> = (key: string, load: () => Promise<Value>) => Promise<Value>;

export function createByteCache<Value extends { readonly byteLength: number }>(
  bytesMax: number,
): ByteCache<Value> {
  // A Map has the order in which its keys were set: the first one was used longest ago.
  const entries = new Map<string, Value>();
  const loads = new Map<string, Promise<Value>>();
  let bytes = 0;

  const keep = (key: string, value: Value): void => {
    if (value.byteLength > bytesMax) return;
    entries.set(key, value);
    bytes += value.byteLength;
    for (const [oldest, { byteLength }] of entries) {
      if (bytes <= bytesMax) break;
      entries.delete(oldest);
      bytes -= byteLength;
    }
  };

  return async (key, load) => {
    const known = entries.get(key);
    if (known !== undefined) {
      entries.delete(key);
      entries.set(key, known);
      return known;
    }
    const running = loads.get(key);
    if (running !== undefined) return running;
    const started = load();
    loads.set(key, started);
    try {
      const value = await started;
      keep(key, value);
      return value;
    } finally {
      loads.delete(key);
    }
  };
}
