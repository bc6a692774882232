/**
 * A fictional store behind a real SFTP server: it reads the batches in a folder, examines them, keeps a book of what it
 * has, and writes acknowledgements. For the sandbox and for tests.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Deal, Validator } from '@tonearm/ern';
import { type ExaminedMessage, examineBatch } from './examine-batch.ts';
import {
  type Acknowledgement,
  type AcknowledgementForm,
  writeAcknowledgement,
} from './write-acknowledgement.ts';

export type HeldRelease = {
  readonly code: string;
  readonly title: string;
  readonly messageId: string;
  /** Titles of the tracks that the store may offer. */
  readonly tracks: readonly string[];
  /** Of those, the ones that people may stream. */
  readonly streamable: readonly string[];
  /** Of the first deal of the release. */
  readonly territories: readonly string[];
  readonly start: string | null;
  /** Offered to people: the newest message has deals for it. */
  readonly isLive: boolean;
};

type Files = ReadonlyMap<string, string>;

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
};

export type ReadMessage = Pick<
  ExaminedMessage,
  'messageId' | 'code' | 'deliveryType' | 'fileStatus' | 'problem'
> & {
  readonly batchId: string;
};

const batchName = /^[NPM]_(\d{17})$/;

export function openSftpStore(options: SftpStoreOptions) {
  const { folder, validator, now, react = () => ({ kind: 'accept' }) as const } = options;
  const inbox = join(folder, 'acknowledgements');
  mkdirSync(inbox, { recursive: true });
  const book = new Map<string, HeldRelease>();
  /** By code: also of releases that it has refused, if it wants only their message again. */
  const keptFiles = new Map<string, Files>();
  const read = new Set<string>();
  const history: ReadMessage[] = [];
  let written = 0;

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

  const answerTo = (batchId: string, examined: ExaminedMessage): void => {
    const { messageId, code, fileStatus, problem } = examined;
    const named = { messageId, batchId, code, fileStatus, proposedAction: null };
    if (problem !== null) {
      const proposedAction = 'ResendXmlAndResources';
      const status = 'ProcessingErrorAtReleaseDistributor';
      return acknowledge({ ...named, status, reason: problem, proposedAction });
    }
    const reaction = react(examined);
    if (reaction.kind !== 'refuse' || reaction.proposedAction === 'ResendXmlOnly')
      keptFiles.set(code, new Map([...(keptFiles.get(code) ?? []), ...examined.files]));
    if (reaction.kind === 'silence' || reaction.kind === 'accept') hold(book, examined, now());
    switch (reaction.kind) {
      case 'silence':
        return undefined;
      case 'receive':
        return acknowledge({
          ...named,
          status: 'ReleaseReceivedByReleaseDistributor',
          reason: null,
        });
      case 'refuse':
        return acknowledge({ ...named, ...reaction });
      default:
        return acknowledge({ ...named, status: 'ReleaseMadeAvailableToConsumers', reason: null });
    }
  };

  return {
    /** Reads the batches that are complete. Returns how many there were. */
    readBatches: (): number => {
      const names = readdirSync(folder).filter((name) => batchName.test(name) && !read.has(name));
      const complete = names
        .toSorted()
        .map((name) => ({ name, batchId: batchName.exec(name)?.[1] ?? '' }))
        .filter(({ name, batchId }) => existsSync(join(folder, name, manifestOf(batchId))));
      for (const { name, batchId } of complete) {
        read.add(name);
        const held = (code: string) => keptFiles.get(code) ?? new Map<string, string>();
        const examined = examineBatch(join(folder, name), manifestOf(batchId), held, validator);
        for (const message of examined) {
          const { messageId, code, deliveryType, fileStatus, problem } = message;
          history.push({ batchId, messageId, code, deliveryType, fileStatus, problem });
          answerTo(batchId, message);
        }
      }
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

/** The newest message replaces everything that the store knew. */
function hold(
  book: Map<string, HeldRelease>,
  { code, messageId, message }: ExaminedMessage,
  now: Date,
): void {
  if (message === undefined) return;
  const { release, tracks } = message;
  const isOffered = (deals: readonly Deal[] = []) => deals.some((deal) => !hasEnded(deal, now));
  const offered = tracks.filter(({ trackRelease }) => isOffered(trackRelease?.deals));
  const [firstDeal] = release.deals;
  book.set(code, {
    code,
    title: release.title.text,
    messageId,
    tracks: offered.map(({ title }) => title.text),
    streamable: offered
      .filter(({ trackRelease }) => trackRelease?.deals.some(isStream) === true)
      .map(({ title }) => title.text),
    territories: firstDeal === undefined ? [] : codesOf(firstDeal),
    start: firstDeal?.period.start ?? null,
    isLive: isOffered(release.deals) || offered.length > 0,
  });
}

const isStream = ({ useTypes }: Deal): boolean => useTypes.includes('OnDemandStream');

const codesOf = ({ territories }: Deal): readonly string[] =>
  'included' in territories
    ? territories.included.toSorted()
    : territories.excluded.map((code) => `not ${code}`);

/** By the days of UTC, which is exact enough for a deal that ended two days ago. */
const hasEnded = ({ period: { end } }: Deal, now: Date): boolean =>
  end !== undefined && end.slice(0, 10) <= now.toISOString().slice(0, 10);
