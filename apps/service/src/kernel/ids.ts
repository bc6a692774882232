/**
 * Ids on the wire are TypeIDs (contract §1): a prefix, `_`, and 26 characters of Crockford base32
 * over a UUIDv7. In the database they are plain `uuid`. The prefix is part of the type, so a
 * release id cannot be passed where an organization is meant.
 */
export type Id<Prefix extends string> = `${Prefix}_${string}`;

export type OrgId = Id<'org'>;
export type KeyId = Id<'key'>;
export type ReleaseId = Id<'rel'>;
export type RequestId = Id<'req'>;

/** Injected, so that ids follow the injected clock. */
export type NewId = <Prefix extends string>(prefix: Prefix) => Id<Prefix>;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const suffixLength = 26;
const bitsPerCharacter = 5n;

export function toWire<Prefix extends string>(prefix: Prefix, uuid: string): Id<Prefix> {
  let value = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let suffix = '';
  for (let i = 0; i < suffixLength; i++) {
    suffix = alphabet.charAt(Number(value & 31n)) + suffix;
    value >>= bitsPerCharacter;
  }
  return `${prefix}_${suffix}`;
}

/** The stored form, or undefined when the text is no id of this kind. */
function parseUuid(prefix: string, id: string): string | undefined {
  if (!id.startsWith(`${prefix}_`) || id.length !== prefix.length + 1 + suffixLength)
    return undefined;
  let value = 0n;
  for (const character of id.slice(prefix.length + 1)) {
    const digit = alphabet.indexOf(character);
    if (digit === -1) return undefined;
    value = (value << bitsPerCharacter) | BigInt(digit);
  }
  // 26 characters hold 130 bits; the two on top must be empty or two spellings would be one id.
  if (value >> 128n !== 0n) return undefined;
  const hex = value.toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** For ids the service made or has already parsed. */
export function toUuid(id: Id<string>): string {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  const uuid = parseUuid(prefix, id);
  if (uuid === undefined) throw new TypeError(`not an id: ${id}`);
  return uuid;
}

export function parseId<Prefix extends string>(
  prefix: Prefix,
  text: string,
): Id<Prefix> | undefined {
  return parseUuid(prefix, text) === undefined ? undefined : (text as Id<Prefix>);
}
