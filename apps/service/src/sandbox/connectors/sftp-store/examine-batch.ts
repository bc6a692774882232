/** What a store checks of a batch before it believes it: manifest, message, files. */

import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
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
  readonly message: NewReleaseMessage | undefined;
  /** Digests of the files that the message names, by their URIs. */
  readonly files: ReadonlyMap<string, string>;
};

type Finding = { readonly code: string; readonly message: string };

/** What the store has of each release, by URI. */
export type HeldFiles = (code: string) => ReadonlyMap<string, string>;

export function examineBatch(
  folder: string,
  manifestName: string,
  held: HeldFiles,
  validator: Validator | undefined,
): readonly ExaminedMessage[] {
  const bytes = readFileSync(join(folder, manifestName));
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
  const code = valueOf('ICPN');
  const path = join(folder, valueOf('URL'));
  const named = { messageId: valueOf('MessageId'), code, deliveryType: valueOf('DeliveryType') };
  if (!existsSync(path))
    return failed(named, { code: 'ErnMissing', message: 'There is no message.' });
  const xml = readFileSync(path);
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
  const path = join(folder, file.uri);
  const digest = existsSync(path) ? hash('sha256', readFileSync(path)) : held.get(file.uri);
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

const descendants = (element: XmlElement): readonly XmlElement[] =>
  element.children.flatMap((child) => [child, ...descendants(child)]);
