/**
 * Runs in the threads that read-ern.ts starts: all work on a message that grows with its size. What it returns is small
 * enough for the event loop, because a message that repeats a recording or has too much of anything is refused first.
 */

import {
  type Deal,
  type ErnMessage,
  type ErnVersion,
  type NewReleaseMessage,
  type PurgeReleaseMessage,
  readMessage,
  XmlRefused,
} from '@tonearm/ern';
import { Problem, type ProblemCode, type Violation } from '../../kernel/problem.ts';
import { lowerThreadPriority } from '../../platform/threads/low-priority.ts';
import type { ReleaseReplacement } from '../commands/replace-release.ts';
import { unknownTerritoriesOf } from '../connectors/ern/rights-of-deals.ts';
import { toBodies } from '../connectors/ern/to-bodies.ts';
import { tracksMax } from '../domain/track.ts';
import { type ErnFinding, findingsOf, refusedMessage } from './ern-result.ts';
import type { ErnRequest } from './ern-schemas.ts';
import { toReplacement } from './ern-to-replacement.ts';
import { dealsPath, releasePath } from './ern-xpaths.ts';

lowerThreadPriority();

export type ErnFiles = NonNullable<ErnRequest['files']>;

export type ErnInput = {
  readonly xml: string;
  readonly files: ErnFiles;
  /** Business time: deals that have ended before it offer nothing. */
  readonly now: Date;
};

type Refused = {
  readonly kind: 'refused';
  readonly code: ProblemCode;
  readonly message: string;
  readonly details: readonly Violation[];
};

type ReadNewRelease = {
  readonly kind: 'new_release';
  readonly message: NewReleaseMessage;
  readonly version: ErnVersion;
  /** Undefined: no deal offers anything, so the message takes the release down. */
  readonly replacement: ReleaseReplacement | undefined;
  readonly findings: readonly ErnFinding[];
};

type ReadPurge = {
  readonly kind: 'purge_release';
  readonly message: PurgeReleaseMessage;
  readonly version: ErnVersion;
};

export type ReadErn = Refused | ReadNewRelease | ReadPurge;

/** A problem is returned: it would lose its class on its way out of the thread. */
export function readErnMessage(input: ErnInput): ReadErn {
  try {
    return read(input);
  } catch (error) {
    if (error instanceof Problem) {
      const { code, message, details } = error;
      return { kind: 'refused', code, message, details };
    }
    if (error instanceof XmlRefused)
      return { kind: 'refused', code: 'invalid_request', message: error.message, details: [] };
    throw error;
  }
}

function read({ xml, files, now }: ErnInput): ReadNewRelease | ReadPurge {
  const { message, version, unread } = understood(xml);
  if (message.kind === 'purge_release') return { kind: 'purge_release', message, version };
  refuseTooMuch(message);
  refuseTerritories(message);
  const bodies = toBodies(message, now);
  return {
    kind: 'new_release',
    message,
    version,
    replacement: bodies && toReplacement(message, bodies, files),
    findings: bodies === undefined ? [] : findingsOf(bodies, unread),
  };
}

type Understood = {
  readonly message: ErnMessage;
  readonly version: ErnVersion;
  readonly unread: readonly string[];
};

/** Whether a message without deals is about a known release is decided later, when the release is looked up. */
function understood(xml: string): Understood {
  const { message, version, findings, unread } = readMessage(xml, { isKnownRelease: true });
  if (message === undefined || version === undefined || findings.length > 0) {
    throw refusedMessage(
      findings.map(({ code, message: issue, xpath }) => ({
        field: xpath,
        issue: `${code}: ${issue}`,
      })),
    );
  }
  return { message, version, unread };
}

/** The largest box sets have a deal for each use and region. */
const dealsMax = 100;

function refuseTooMuch({ release, tracks }: NewReleaseMessage): void {
  // A recording is read once: two tracks of it have the same list of editions.
  const recordings = new Set(tracks.map(({ editions }) => editions));
  if (recordings.size < tracks.length) {
    const issue =
      'NewReleaseMessageInvalid: A ResourceGroup lists the same SoundRecording twice. List each once.';
    throw refusedMessage([{ field: `${releasePath}/ResourceGroup`, issue }]);
  }
  if (tracks.length > tracksMax) {
    const issue = `NewReleaseMessageInvalid: The release has ${tracks.length} tracks; at most ${tracksMax} are allowed.`;
    throw refusedMessage([{ field: `${releasePath}/ResourceGroup`, issue }]);
  }
  const most = Math.max(release.deals.length, ...tracks.map((track) => dealsOf(track).length));
  if (most > dealsMax) {
    const issue = `NewReleaseMessageInvalid: A release or track has ${most} deals; at most ${dealsMax} are allowed. List several territories and uses in one deal.`;
    throw refusedMessage([{ field: dealsPath, issue }]);
  }
}

type TrackOf = NewReleaseMessage['tracks'][number];
const dealsOf = ({ trackRelease }: TrackOf): readonly Deal[] => trackRelease?.deals ?? [];

function refuseTerritories({ release, tracks }: NewReleaseMessage): void {
  // Tracks share their lists of deals: each list is read once.
  const lists = new Set([release.deals, ...tracks.map(dealsOf)]);
  const unknown = new Set([...lists].flatMap(unknownTerritoriesOf));
  if (unknown.size === 0) return;
  throw refusedMessage(
    [...unknown].map((code) => ({
      field: dealsPath,
      issue: `UnsupportedUsage: ${code} is not a code of ISO 3166-1. Name the territories.`,
    })),
  );
}
