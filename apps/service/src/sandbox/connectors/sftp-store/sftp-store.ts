/**
 * A fictional store behind a real SFTP server: it reads the batches in a folder, examines them, keeps a book of what it
 * has, and writes acknowledgements. For the sandbox and for tests.
 *
 * With a journal it survives a restart: acknowledge → write to the journal → change the book. After a crash in between
 * it reads the batch again and acknowledges it twice, which changes nothing for the sender.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Validator, XmlRefused } from '@tonearm/ern';
import { type ExaminedMessage, examineBatch, type HeldFiles } from './examine-batch.ts';
import { type HeldRelease, toHeldRelease } from './held-release.ts';
import type { BookChange, Journal, ReadMessage } from './journal.ts';
import {
  type Acknowledgement,
  type AcknowledgementForm,
  writeAcknowledgement,
} from './write-acknowledgement.ts';

/** What the store does with a message in which it finds no error. */
export type Reaction =
  | { readonly kind: 'accept' }
  | { readonly kind: 'receive' }
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'refuse';
      readonly status: string;
      readonly fileStatus: string;
      readonly reason: string;
      readonly proposedAction: string | null;
    };

export type SftpStoreOptions = {
  /** The store's folder on this machine. */
  readonly folder: string;
  readonly validator?: Validator | undefined;
  readonly form?: AcknowledgementForm;
  readonly now: () => Date;
  readonly react?: (message: ExaminedMessage) => Reaction;
  /** Undefined: the store forgets everything when its process ends. */
  readonly journal?: Journal;
  /** Removes the batches that it has read: it needs only the digests of their files. */
  readonly removesRead?: boolean;
};

const batchName = /^[NPM]_(\d{17})$/;

export function openSftpStore(options: SftpStoreOptions) {
  const { folder, validator, now, react = () => ({ kind: 'accept' }) as const } = options;
  const inbox = join(folder, 'acknowledgements');
  mkdirSync(inbox, { recursive: true });
  const book = new Map<string, HeldRelease>();
  /** By code: also of releases that it has refused, if it wants only their message again. */
  const keptFiles = new Map<string, ReadonlyMap<string, string>>();
  const read = new Set<string>();
  const history: ReadMessage[] = [];
  let written = 0;

  const apply = ({ batch, message, held, files }: BookChange): void => {
    read.add(batch);
    history.push(message);
    if (held === null) book.delete(message.code);
    else if (held !== undefined) book.set(message.code, held);
    if (files === null) keptFiles.delete(message.code);
    else if (files !== undefined) keptFiles.set(message.code, new Map(files));
  };
  for (const change of options.journal?.changes ?? []) apply(change);

  const acknowledge = (answer: Omit<Acknowledgement, 'createdAt'>, form = options.form) => {
    const createdAt = now();
    const time = createdAt.toISOString().replace(/\D/g, '');
    const number = String(++written).padStart(6, '0');
    const path = join(inbox, `ACK_${time}_${number}_${answer.code}.xml`);
    writeFileSync(
      `${path}.part`,
      writeAcknowledgement(form ?? 'standard', { ...answer, createdAt }),
    );
    renameSync(`${path}.part`, path);
  };

  /** Acknowledges the message. Returns what it changes in the book. */
  const answerTo = (
    batchId: string,
    examined: ExaminedMessage,
  ): Pick<BookChange, 'held' | 'files'> => {
    const { messageId, code, fileStatus, problem, message } = examined;
    const named = { messageId, batchId, code, fileStatus, proposedAction: null };
    if (problem !== null) {
      const proposedAction = 'ResendXmlAndResources';
      const status = 'ProcessingErrorAtReleaseDistributor';
      acknowledge({ ...named, status, reason: problem, proposedAction });
      return {};
    }
    const reaction = react(examined);
    const answer = answerOf(reaction, message?.kind === 'purge_release');
    if (answer !== undefined) acknowledge({ ...named, ...answer });
    if (reaction.kind === 'refuse' && reaction.proposedAction !== 'ResendXmlOnly') return {};
    if (message?.kind !== 'new_release')
      return reaction.kind === 'accept' ? { held: null, files: null } : {};
    const files = [...new Map([...(keptFiles.get(code) ?? []), ...examined.files])];
    return reaction.kind === 'silence' || reaction.kind === 'accept'
      ? { held: toHeldRelease(code, message, now()), files }
      : { files };
  };

  const heldFiles = (code: string) => keptFiles.get(code) ?? new Map<string, string>();
  const readBatch = (name: string, batchId: string): void => {
    const path = join(folder, name);
    const changes = examine(path, batchId, heldFiles, validator).map((examined): BookChange => {
      const { messageId, code, deliveryType, fileStatus, problem } = examined;
      const message = { batchId, messageId, code, deliveryType, fileStatus, problem };
      const changed = messageId === '' && problem !== null ? {} : answerTo(batchId, examined);
      return { batch: name, message, ...changed };
    });
    options.journal?.append(changes);
    for (const change of changes) apply(change);
    read.add(name);
  };

  return {
    /** Reads the batches that are complete. Returns how many there were. */
    readBatches: (): number => {
      const names = readdirSync(folder).filter((name) => batchName.test(name) && !read.has(name));
      const complete = names
        .toSorted()
        .map((name) => ({ name, batchId: batchName.exec(name)?.[1] ?? '' }))
        .filter(({ name, batchId }) => existsSync(join(folder, name, manifestOf(batchId))));
      for (const { name, batchId } of complete) readBatch(name, batchId);
      if (options.removesRead === true) removeRead(folder, read);
      return complete.length;
    },
    acknowledge,
    /** What the store has, by code. */
    book: (): ReadonlyMap<string, HeldRelease> => book,
    /** Every message that the store has read, in order. */
    history: (): readonly ReadMessage[] => history,
  };
}

export type SftpStore = ReturnType<typeof openSftpStore>;

const manifestOf = (batchId: string): string => `BatchComplete_${batchId}.xml`;

type Answer = Pick<Acknowledgement, 'status' | 'reason'> &
  Partial<Pick<Acknowledgement, 'fileStatus' | 'proposedAction'>>;

/** Undefined: the store says nothing. */
function answerOf(reaction: Reaction, isPurge: boolean): Answer | undefined {
  switch (reaction.kind) {
    case 'silence':
      return undefined;
    case 'receive':
      return { status: 'ReleaseReceivedByReleaseDistributor', reason: null };
    case 'refuse':
      return reaction;
    default:
      // A purged release is available to nobody.
      return isPurge
        ? { status: 'SuccessfullyIngestedByReleaseDistributor', reason: null }
        : { status: 'ReleaseMadeAvailableToConsumers', reason: null };
  }
}

/** A batch that nothing can be understood of is noted, and not answered: its messages have no names. */
function examine(
  path: string,
  batchId: string,
  ...[held, validator]: [HeldFiles, Validator | undefined]
): readonly ExaminedMessage[] {
  try {
    return examineBatch(path, manifestOf(batchId), held, validator);
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    return [unreadable(error.message)];
  }
}

const unreadable = (problem: string): ExaminedMessage => ({
  messageId: '',
  code: '',
  deliveryType: '',
  fileStatus: 'NewReleaseMessageInvalid',
  problem,
  message: undefined,
  files: new Map(),
});

/** A sender that repeats a batch writes it again: that is removed once it is whole, because it is still being written. */
function removeRead(folder: string, read: ReadonlySet<string>): void {
  for (const name of readdirSync(folder).filter((entry) => read.has(entry))) {
    const batchId = batchName.exec(name)?.[1] ?? '';
    if (existsSync(join(folder, name, manifestOf(batchId))))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
