/** The headers that an inbox stores with a message. */

const headersMax = 64;
const charactersMax = 8 * 1024;

/** Credentials of the sender are not stored. */
const credentials = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
]);

type Received = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A header is kept whole or not at all: half a signature would be wrong. */
export function keptHeaders(received: Received): Readonly<Record<string, string>> {
  const kept = new Map<string, string>();
  let characters = 0;
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || credentials.has(name)) continue;
    const text = [value].flat().join(', ');
    const size = name.length + text.length;
    if (kept.size === headersMax || characters + size > charactersMax) continue;
    characters += size;
    kept.set(name, text);
  }
  return Object.fromEntries(kept);
}
