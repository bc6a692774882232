/** What a store checks of a batch before it believes it: manifest, message, files. */

import { createHash, hash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import {
  type ErnMessage,
  type File,
  type NewReleaseMessage,
  readMessage,
  readXml,
  type Validator,
  type XmlElement,
} from '@tonearm/ern';

export type ExaminedMessage = {
  readonly messageId: string;
  readonly code: string;
  readonly deliveryType: string;
  /** ErncFileStatus of the first error; `FileOK` without one. */
  readonly fileStatus: string;
  readonly problem: string | null;
  /** Undefined if it cannot be read. */
  readonly message: ErnMessage | undefined;
  /** Digests of the files that the message names, by their URIs. */
  readonly files: ReadonlyMap<string, string>;
};

type Finding = { readonly code: string; readonly message: string };

/** What the store has of each release, by URI. */
export type HeldFiles = (code: string) => ReadonlyMap<string, string>;

/** A manifest and a message are text: more than this is read by no store. */
const textBytesMax = 16 * 2 ** 20;

/**
 * A manifest without bytes is the choreography's mark of a batch that a person has sent. It lists nothing, so the
 * folders of the batch are its messages. This store takes only purges that way, which no manifest can list.
 */
export function examineBatch(
  folder: string,
  manifestName: string,
  held: HeldFiles,
  validator: Validator | undefined,
): readonly ExaminedMessage[] {
  const bytes = readText(folder, manifestName) ?? Buffer.alloc(0);
  if (bytes.length === 0) return examineByHand(folder, validator);
  const invalid = validator?.validate(bytes)[0];
  return descendants(readXml(bytes))
    .filter(({ name }) => name === 'MessageInBatch')
    .map((listed) => examineMessage(folder, listed, { held, validator, manifestProblem: invalid }));
}

type Examination = {
  readonly held: HeldFiles;
  readonly validator: Validator | undefined;
  readonly manifestProblem: { readonly message: string } | undefined;
};

function examineMessage(
  folder: string,
  listed: XmlElement,
  { held, validator, manifestProblem }: Examination,
): ExaminedMessage {
  const valueOf = (name: string) =>
    descendants(listed)
      .find((element) => element.name === name)
      ?.text.trim() ?? '';
  const code = codeOf(valueOf('ICPN'));
  const named = { messageId: valueOf('MessageId'), code, deliveryType: valueOf('DeliveryType') };
  const xml = readText(folder, valueOf('URL'));
  if (xml === undefined)
    return failed(named, { code: 'ErnMissing', message: 'There is no message.' });
  if (hash('sha256', xml) !== valueOf('HashSumValue'))
    return failed(named, {
      code: 'SignatureOrHashSumWrongOrMissing',
      message: 'The digest of the message is wrong.',
    });
  if (manifestProblem !== undefined)
    return failed(named, { code: 'NewReleaseMessageInvalid', message: manifestProblem.message });
  const isKnownRelease = held(code).size > 0;
  const { message, findings } = readMessage(xml, {
    isKnownRelease,
    ...(validator !== undefined && { validator }),
  });
  const [finding] = findings;
  if (message?.kind !== 'new_release' || finding !== undefined)
    return failed(named, finding ?? { code: 'NewReleaseMessageInvalid', message: 'Unreadable.' });
  const files = new Map<string, string>();
  const problem = namedFiles(message)
    .map((file) => fileProblem(join(folder, code), file, held(code), files))
    .find((found) => found !== undefined);
  return problem === undefined
    ? { ...named, fileStatus: 'FileOK', problem: null, message, files }
    : failed(named, problem);
}

/** The type of delivery that the store notes for a purge: no manifest says one. */
const purgeType = 'Purge';

const examineByHand = (
  folder: string,
  validator: Validator | undefined,
): readonly ExaminedMessage[] =>
  readdirSync(folder)
    .filter((name) => isCode(name))
    .toSorted()
    .map((code) => examinePurge(folder, code, validator));

function examinePurge(
  folder: string,
  code: string,
  validator: Validator | undefined,
): ExaminedMessage {
  const unnamed = { messageId: '', code, deliveryType: purgeType };
  const xml = readText(folder, `${code}/${code}.xml`);
  if (xml === undefined)
    return failed(unnamed, { code: 'ErnMissing', message: 'There is no message.' });
  const { message, findings } = readMessage(xml, {
    isKnownRelease: true,
    ...(validator !== undefined && { validator }),
  });
  const named = { ...unnamed, messageId: message?.header.messageId ?? '' };
  const [finding] = findings;
  if (finding !== undefined) return failed(named, finding);
  if (message?.kind !== 'purge_release' || message.ids.icpn !== code) {
    const text = 'Only a purge of the release in whose folder it is may come without a manifest.';
    return failed(named, { code: 'NewReleaseMessageInvalid', message: text });
  }
  return { ...named, fileStatus: 'FileOK', problem: null, message, files: new Map() };
}

const isCode = (text: string): boolean => /^\d{12,14}$/.test(text);

/** Names folders and acknowledgements, so it is digits or nothing. */
const codeOf = (text: string): string => (isCode(text) ? text : '');

const failed = (
  named: Pick<ExaminedMessage, 'messageId' | 'code' | 'deliveryType'>,
  { code, message }: Finding,
): ExaminedMessage => ({
  ...named,
  fileStatus: code,
  problem: message,
  message: undefined,
  files: new Map(),
});

type NamedFile = {
  readonly file: File;
  readonly isProvided: boolean;
  readonly isOffered: boolean;
};

function namedFiles({ release, tracks }: NewReleaseMessage): readonly NamedFile[] {
  const described = [
    release.cover,
    ...tracks.flatMap(({ editions }) => editions.map(({ audio }) => audio)),
  ];
  const isOffered = release.deals.length > 0;
  return described.flatMap((entry) =>
    entry?.file === undefined
      ? []
      : [{ file: entry.file, isProvided: entry.isProvided ?? true, isOffered }],
  );
}

/** Undefined if the file is there, or was before, and is what the message says. */
function fileProblem(
  folder: string,
  { file, isProvided, isOffered }: NamedFile,
  held: ReadonlyMap<string, string>,
  files: Map<string, string>,
): Finding | undefined {
  const digest = digestOf(folder, file.uri) ?? held.get(file.uri);
  if (digest === undefined) {
    // The files of a release without deals are not needed.
    return isProvided || isOffered
      ? { code: 'ResourceMissing', message: `${file.uri} is missing.` }
      : undefined;
  }
  if (file.hash !== undefined && digest !== file.hash.value)
    return { code: 'ResourceCorrupt', message: `${file.uri} has other bytes than announced.` };
  files.set(file.uri, digest);
  return undefined;
}

/** The size of a file in the folder of the batch; undefined if there is none, also if the name leads elsewhere. */
function sizeOf(folder: string, name: string): { path: string; bytes: number } | undefined {
  const path = join(folder, name);
  if (!path.startsWith(folder + sep)) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { path, bytes: stats.size } : undefined;
}

/** Undefined if there is no such file, or it is too large for a text. */
function readText(folder: string, name: string): Buffer | undefined {
  const found = sizeOf(folder, name);
  return found === undefined || found.bytes > textBytesMax ? undefined : readFileSync(found.path);
}

const chunkBytes = 2 ** 20;

/** In pieces: a release has files of gigabytes. */
function digestOf(folder: string, name: string): string | undefined {
  const found = sizeOf(folder, name);
  if (found === undefined) return undefined;
  const digest = createHash('sha256');
  const chunk = Buffer.alloc(chunkBytes);
  const file = openSync(found.path, 'r');
  try {
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk))
      digest.update(chunk.subarray(0, count));
  } finally {
    closeSync(file);
  }
  return digest.digest('hex');
}

const descendants = (element: XmlElement): readonly XmlElement[] =>
  element.children.flatMap((child) => [child, ...descendants(child)]);
