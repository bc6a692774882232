/**
 * Verifies an export of your audit log, with Node only: that no entry was changed, removed or added.
 *
 *   curl -H "Authorization: Bearer $KEY" https://…/v1/audit_log.jsonl > audit-log.jsonl
 *   node examples/verify-audit-log.ts audit-log.jsonl [--known SEQUENCE:HASH]
 *
 * It prints the sequence and the hash of the last entry. Keep them where we cannot change them, and pass them as --known
 * next time: the entry must still be there with the same hash, or be the one before the first of the file. Without it,
 * nobody can tell that the last entries were removed, or that the whole chain was written again.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/** A line of GET /v1/audit_log.jsonl. */
type Line = {
  readonly id: string;
  readonly sequence: number;
  readonly action: string;
  readonly resource_id: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly request_id: string | null;
  readonly before_digest: string | null;
  readonly after_digest: string | null;
  readonly occurred_at: string;
  readonly previous_hash: string;
  readonly hash: string;
  readonly hashed_text: string;
};

type Link = { readonly sequence: number; readonly hash: string };

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id such as aud_01h455vb4pex5vsknk084sn02q is a UUID in base32 after its prefix. */
function uuidOf(id: string): string {
  let bits = 0n;
  for (const character of id.slice(id.lastIndexOf('_') + 1)) {
    bits = bits * 32n + BigInt(digits.indexOf(character));
  }
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The fields of the line, as `hashed_text` has them. Entries from before digests were stored have none. */
function textOf(line: Line, organization: unknown): string {
  const { before_digest: before, after_digest: after } = line;
  return JSON.stringify([
    organization,
    uuidOf(line.id),
    Date.parse(line.occurred_at) * 1000,
    line.actor.type,
    line.actor.id,
    line.action,
    line.resource_id,
    line.request_id === null ? null : uuidOf(line.request_id),
    line.sequence,
    ...(before === null && after === null ? [] : [before, after]),
  ]);
}

/** What is wrong with a line; undefined: nothing. `last` is the link before it. */
function issueOf(line: Line, last: Link, organization: string): string | undefined {
  if (line.sequence !== last.sequence + 1) return `follows entry ${last.sequence}: one is missing`;
  if (line.previous_hash !== last.hash) return `does not follow the entry before it`;
  const hash = sha256(Buffer.from(line.previous_hash, 'hex'), line.hashed_text);
  if (line.hash !== hash) return 'was changed: its hash is not that of its text';
  const text: unknown = JSON.parse(line.hashed_text);
  if (JSON.stringify(text) !== textOf(line, organization)) {
    return 'was changed: its fields are not those of its text';
  }
  return undefined;
}

/** The link before the first line of the file. */
function startOf(line: Line, organization: string, known: Link | undefined): Link {
  if (line.sequence === 1) return { sequence: 0, hash: sha256(organization) };
  if (known?.sequence === line.sequence - 1) return known;
  throw new Error(
    `The file begins with entry ${line.sequence}. Pass --known ${line.sequence - 1}:HASH, or export all entries.`,
  );
}

async function verify(path: string, known: Link | undefined): Promise<Link> {
  let last: Link | undefined;
  let organization = '';
  for await (const text of createInterface({ input: createReadStream(path) })) {
    const line = JSON.parse(text) as Line;
    if (last === undefined) {
      organization = String((JSON.parse(line.hashed_text) as unknown[])[0]);
      last = startOf(line, organization, known);
    }
    const issue = issueOf(line, last, organization);
    if (issue !== undefined) throw new Error(`Entry ${line.sequence} ${issue}.`);
    if (line.sequence === known?.sequence && line.hash !== known.hash) {
      throw new Error(`Entry ${line.sequence} is not the one you know: its hash has changed.`);
    }
    last = { sequence: line.sequence, hash: line.hash };
  }
  if (last === undefined) throw new Error('The file has no entries.');
  if (known !== undefined && last.sequence < known.sequence) {
    throw new Error(`The file ends with entry ${last.sequence}, but you know ${known.sequence}.`);
  }
  return last;
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { known: { type: 'string' } },
});
const [path] = positionals;
const [, sequence = '', hash = ''] = /^(\d+):([0-9a-f]{64})$/.exec(values.known ?? '') ?? [];
if (path === undefined || (values.known !== undefined && hash === '')) {
  process.stderr.write('Usage: verify-audit-log.ts FILE [--known SEQUENCE:HASH]\n');
  process.exit(2);
}
try {
  const known = hash === '' ? undefined : { sequence: Number(sequence), hash };
  const last = await verify(path, known);
  process.stdout.write(`intact up to ${last.sequence}:${last.hash}\n`);
} catch (error) {
  process.stderr.write(`NOT INTACT. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
