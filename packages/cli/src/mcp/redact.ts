/**
 * Removes secrets from everything that a model sees, and from what `--debug` prints. The tools whose answers have secrets
 * are absent (`exposure.ts`); this is the second wall, for fields that the API may add and for texts in which a partner
 * wrote a secret.
 */

const hidden = '[hidden]';

/** By field: credentials, bank details, and presigned URLs with their headers. */
const secretFields: ReadonlySet<string> = new Set([
  'secret',
  'client_secret',
  'access_token',
  'refresh_token',
  'authorization',
  'api_key',
  'password',
  'iban',
  'bic',
  'account_number',
  'routing_number',
  'sort_code',
  'account_holder',
  'provider',
  'tin',
  'upload',
]);

/**
 * What `--debug` hides: people, and the id of a wallet, as well. A model needs the contacts of its organization, and
 * reads an `account` of the ledger in the answers of statements.
 */
export const personalFields: ReadonlySet<string> = new Set([
  ...secretFields,
  'account',
  'contacts',
  'email',
]);

const credential = /(whsec_|ta_(?:live|test|[a-z]{2})_)(?=[\w+/=%-]{8})[\w+/=%-]+/g;
const basicOrBearer = /\b(Basic|Bearer) [\w+/=.~-]{8,}/g;
const presignedQuery = /\?[^\s"]*\bX-Amz-Signature=[^\s"]*/gi;
const userInUrl = /(https?:\/\/)[^\s/@"]+@/g;
const inboxToken = /(\/v1\/sandbox\/inbox\/)[\w-]+/g;
const ibanLike = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/g;

/** ISO 13616: the number that the rearranged letters and digits make leaves the remainder 1. */
function isIban(text: string): boolean {
  const compact = text.replaceAll(' ', '');
  const digits = Array.from(`${compact.slice(4)}${compact.slice(0, 4)}`, (each) =>
    Number.parseInt(each, 36),
  ).join('');
  return BigInt(digits) % 97n === 1n;
}

export const redactText = (text: string): string =>
  text
    .replaceAll(credential, `$1${hidden}`)
    .replaceAll(basicOrBearer, `$1 ${hidden}`)
    .replaceAll(presignedQuery, `?${hidden}`)
    .replaceAll(userInUrl, `$1${hidden}@`)
    .replaceAll(inboxToken, `$1${hidden}`)
    .replaceAll(ibanLike, (found) => (isIban(found) ? hidden : found));

export function redact(value: unknown, fields = secretFields): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map((each) => redact(each, fields));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      redactText(name),
      fields.has(name.toLowerCase()) && each !== null ? hidden : redact(each, fields),
    ]),
  );
}
