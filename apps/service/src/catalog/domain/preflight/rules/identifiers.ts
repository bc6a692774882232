import { isIsrc, showIsrc } from '../../../../kernel/isrc.ts';
import { comparableCode, productCodeOf } from '../../../../kernel/product-code.ts';
import { isUpc } from '../../../../kernel/upc.ts';
import { storeDeals, territoriesOfRelease, territoriesOfTrack } from '../deals.ts';
import type { PreflightInput, PreflightTrack, RelatedTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import type { CodeSet } from '../territory-codes.ts';

/** A recording keeps its ISRC when it is mastered again; its duration then differs by no more than this. */
const durationDifferenceMsMax = 2_000;

function repeatedIsrcs({ tracks }: PreflightInput): RawFinding[] {
  const seen = new Set<string>();
  return tracks.flatMap((track) => {
    if (!seen.has(track.isrc)) {
      seen.add(track.isrc);
      return [];
    }
    const message =
      'Another track of this release has the same ISRC. Send the ISRC of each recording.';
    return [{ track, field: 'isrc', message, measured: showIsrc(track.isrc), limit: 'unique' }];
  });
}

type Contradiction = { readonly track: PreflightTrack; readonly other: RelatedTrack };

/**
 * For each track the first that has a key of it and contradicts it, of another release or before it on this one. Keys,
 * because comparing each track with all others took 80 ms for the largest release.
 */
function findContradictions(
  { tracks, relatedTracks }: PreflightInput,
  keysOf: (track: RelatedTrack) => readonly string[],
  isContradicted: (track: PreflightTrack, other: RelatedTrack) => boolean,
): readonly Contradiction[] {
  const byKey = new Map<string, RelatedTrack[]>();
  const add = (track: RelatedTrack): void => {
    for (const key of keysOf(track)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [track]);
      else known.push(track);
    }
  };
  for (const track of relatedTracks) add(track);
  return tracks.flatMap((track) => {
    const known = keysOf(track).flatMap((key) => byKey.get(key) ?? []);
    add(track);
    const other = known.find((each) => isContradicted(track, each));
    return other === undefined ? [] : [{ track, other }];
  });
}

/** Zero until the audio of both is ready. */
const durationDifferenceMs = (track: RelatedTrack, other: RelatedTrack): number =>
  track.audio === null || other.audio === null
    ? 0
    : Math.abs(track.audio.facts.durationMs - other.audio.facts.durationMs);

const showDuration = ({ audio }: RelatedTrack): string =>
  `${(audio?.facts.durationMs ?? 0) / 1_000} s`;

const differingDurations = (input: PreflightInput): RawFinding[] =>
  findContradictions(
    input,
    ({ isrc }) => [isrc],
    (track, other) => durationDifferenceMs(track, other) > durationDifferenceMsMax,
  ).map(({ track, other }) => ({
    track,
    field: 'isrc',
    message: `${showIsrc(track.isrc)} is also the ISRC of ${other.id} on ${other.releaseId}, which is ${showDuration(other)} long; this track is ${showDuration(track)} long. One ISRC names one recording: send another ISRC, or the audio of that recording.`,
    measured: durationDifferenceMs(track, other),
    limit: durationDifferenceMsMax,
  }));

/** Files examined before their samples were hashed are compared by their bytes alone. */
const audioHashes = ({ audio }: RelatedTrack): readonly string[] =>
  audio === null ? [] : [audio.sha256, audio.facts.pcmSha256 ?? audio.sha256];

const repeatedAudio = (input: PreflightInput): RawFinding[] =>
  findContradictions(input, audioHashes, (track, other) => track.isrc !== other.isrc).map(
    ({ track, other }) => ({
      track,
      field: 'audio_asset_id',
      message: `${other.id} on ${other.releaseId} has the same audio and the ISRC ${showIsrc(other.isrc)}. One recording has one ISRC: send that ISRC, or other audio.`,
      measured: showIsrc(track.isrc),
      limit: showIsrc(other.isrc),
    }),
  );

function codesHeldElsewhere(input: PreflightInput): RawFinding[] {
  if (input.heldElsewhere.length === 0) return [];
  const { release } = input;
  // A catalog that moves here has every code held at every store.
  const heldByCode = Map.groupBy(input.heldElsewhere, ({ code }) => code);
  const deals = new Map(storeDeals(input).map((deal) => [deal.storeId, deal.territories]));
  const findingOf = (
    code: string,
    territories: CodeSet,
    named: Pick<RawFinding, 'track' | 'field'>,
    shown: string,
  ): RawFinding[] => {
    const held = heldByCode.get(code) ?? [];
    const stores = held
      .filter((each) => ((deals.get(each.storeId) ?? 0n) & territories & each.territories) !== 0n)
      .map(({ storeId }) => storeId);
    const message = `Another organization has a release with ${shown} live at some of these stores. This release waits there until we have decided who holds the rights. Send the code of your own recording or product, or write to support.`;
    return stores.length === 0 ? [] : [{ ...named, message, measured: shown, limit: null, stores }];
  };
  const product = productCodeOf(release);
  return [
    ...findingOf(
      comparableCode(product),
      territoriesOfRelease(input),
      { field: release.ean === null ? 'upc' : 'ean' },
      product,
    ),
    ...input.tracks.flatMap((track) =>
      findingOf(
        track.isrc,
        territoriesOfTrack(track, input),
        { track, field: 'isrc' },
        showIsrc(track.isrc),
      ),
    ),
  ];
}

export const identifierRules = {
  upc_check_digit: {
    description:
      'The UPC must have 12 digits with a valid check digit; stores identify the release by it.',
    severity: 'error',
    readsFields: ['upc'],
    source: 'GS1 General Specifications',
    prevents: 'identifier_syntax_invalid',
    release: ({ release: { upc } }) => {
      if (isUpc(upc)) return [];
      const message =
        'The UPC is not 12 digits with a valid GS1 check digit. Check the last digit.';
      return [{ field: 'upc', message, measured: upc, limit: 'GS1 mod 10' }];
    },
  } satisfies Rule,
  isrc_shape: {
    description:
      'The ISRC must have the form of ISO 3901; stores and royalty reports identify the recording by it.',
    severity: 'error',
    readsFields: ['isrc'],
    source: 'ISO 3901',
    prevents: 'identifier_syntax_invalid',
    track: (track) => {
      if (isIsrc(track.isrc)) return [];
      const message =
        'The ISRC is not valid. Send two letters, three letters or digits, and seven digits.';
      return [{ track, field: 'isrc', message, measured: track.isrc, limit: 'CC-XXX-YY-NNNNN' }];
    },
  } satisfies Rule,
  isrc_repeated: {
    description:
      'Each track of a release must have its own ISRC; a store takes two tracks with one ISRC for one recording.',
    severity: 'error',
    readsFields: ['isrc'],
    source: 'ISO 3901',
    prevents: 'identifier_invalid',
    release: repeatedIsrcs,
  } satisfies Rule,
  isrc_duration: {
    description:
      'Tracks with one ISRC must have durations that differ by at most 2 seconds, also across your releases; one ISRC names one recording.',
    unit: 'ms',
    severity: 'error',
    readsFields: ['isrc', 'audioAssetId'],
    source: 'ISO 3901',
    prevents: 'identifier_invalid',
    release: differingDurations,
  } satisfies Rule,
  audio_repeated: {
    description:
      'Tracks with the same audio should have the same ISRC, also across your releases; one recording has one ISRC.',
    severity: 'warning',
    readsFields: ['isrc', 'audioAssetId'],
    source: 'ISO 3901',
    prevents: 'identifier_invalid',
    release: repeatedAudio,
  } satisfies Rule,
  code_held_elsewhere: {
    description:
      'No other organization should have the ISRC or the product code live at the store; there, the release waits until we have decided who holds the rights.',
    severity: 'warning',
    readsFields: ['isrc', 'upc', 'ean', 'territories', 'excludedTerritories'],
    source: 'Tonearm',
    prevents: 'rights_conflict',
    release: codesHeldElsewhere,
  } satisfies Rule,
};
