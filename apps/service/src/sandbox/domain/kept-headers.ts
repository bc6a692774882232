const headersMax = 64;
const charactersMax = 8 * 1024;

/** What a sender proves itself with is nobody's to read again. */
const secret = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'x-api-key',
]);

type Received = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The headers an inbox keeps, each whole: half a signature would be a wrong one. */
export function keptHeaders(received: Received): Readonly<Record<string, string>> {
  const kept = new Map<string, string>();
  let characters = 0;
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || secret.has(name)) continue;
    const text = [value].flat().join(', ');
    const more = name.length + text.length;
    if (kept.size === headersMax || characters + more > charactersMax) continue;
    characters += more;
    kept.set(name, text);
  }
  return Object.fromEntries(kept);
}
