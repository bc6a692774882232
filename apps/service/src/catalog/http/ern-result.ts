/** What a message did, as the partner reads it. */

import type { ErnMessage, ErnVersion, NewReleaseMessage } from '@tonearm/ern';
import { showIsrc } from '../../kernel/isrc.ts';
import { Problem, type Violation } from '../../kernel/problem.ts';
import { ok } from '../../platform/http/answer.ts';
import type { MutationResult } from '../../platform/http/mutation.ts';
import type { ReleaseWithTracks } from '../commands/replace-release.ts';
import type { ErnBodies } from '../connectors/ern/to-bodies.ts';
import { presentRelease } from '../domain/present-release.ts';
import type { Release } from '../domain/release.ts';
import type { ernActions } from './ern-schemas.ts';
import { dealsPath, recordingsPath } from './ern-xpaths.ts';

export type ErnFinding = { readonly xpath: string; readonly message: string };

const findingsMax = 100;

export function findingsOf(bodies: ErnBodies, unread: readonly string[]): readonly ErnFinding[] {
  return [
    ...(bodies.isNarrowed
      ? [
          {
            xpath: dealsPath,
            message:
              'The deals have different territories or starts. The release has only what all of them allow.',
          },
        ]
      : []),
    ...[...new Set(bodies.unknownWords)].map((word) => ({
      xpath: recordingsPath,
      message: `${word} is not a role or an instrument of GET /v1/contributor_roles, and was left out.`,
    })),
    ...unread.map((xpath) => ({
      xpath,
      message: 'The API has no field for this element, and it was left out.',
    })),
  ].slice(0, findingsMax);
}

export const refusedMessage = (details: readonly Violation[]): Problem =>
  new Problem('invalid_field', 'The message is not valid. Correct what details list.', { details });

export type Received<Message extends ErnMessage = ErnMessage> = {
  readonly message: Message;
  readonly version: ErnVersion;
};

type Outcome = {
  readonly action: (typeof ernActions)[number];
  readonly release: Release;
  readonly deliveryIds?: readonly string[];
};

const envelopeOf = (
  { message, version }: Received,
  { action, release, deliveryIds = [] }: Outcome,
) => ({
  message_id: message.header.messageId,
  ern_version: version,
  action,
  release_id: release.id,
  release: action === 'deleted' ? null : presentRelease(release),
  tracks: [],
  delivery_ids: deliveryIds,
  findings: [],
});

/** Takedowns have audit rows of their own. */
export function takenDownResult(
  received: Received,
  release: Release,
  deliveryIds: readonly string[],
): MutationResult {
  const shown = presentRelease(release);
  const outcome = { action: 'taken_down', release, deliveryIds } as const;
  return {
    answer: ok(envelopeOf(received, outcome)),
    auditedId: release.id,
    before: shown,
    after: shown,
  };
}

export const deletedResult = (received: Received, release: Release): MutationResult => ({
  answer: ok(envelopeOf(received, { action: 'deleted', release })),
  auditedId: release.id,
  before: presentRelease(release),
  after: {},
});

export function replacedResult(
  received: Received<NewReleaseMessage>,
  current: Release | undefined,
  { release, tracks }: ReleaseWithTracks,
  findings: readonly ErnFinding[],
): MutationResult {
  const changed = current?.revision === release.revision ? 'unchanged' : 'revised';
  const action = current === undefined ? 'created' : changed;
  const byPlace = new Map(tracks.map((track) => [`${track.disc}/${track.position}`, track]));
  const shown = received.message.tracks.flatMap(({ disc, number, editions }) => {
    const track = byPlace.get(`${disc}/${number}`);
    return track === undefined
      ? []
      : [
          {
            track_id: track.id,
            isrc: showIsrc(track.isrc),
            file_uri: editions[0]?.audio?.file?.uri ?? null,
            audio_asset_id: track.audioAssetId,
          },
        ];
  });
  return {
    answer: ok({ ...envelopeOf(received, { action, release }), tracks: shown, findings }),
    auditedId: release.id,
    before: current && presentRelease(current),
    after: presentRelease(release),
  };
}
