import { isIsrc } from '../../../../kernel/isrc.ts';
import { isUpc } from '../../../../kernel/upc.ts';
import type { PreflightInput } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

function repeatedIsrcs({ tracks }: PreflightInput): RawFinding[] {
  const seen = new Set<string>();
  return tracks.flatMap((track) => {
    if (!seen.has(track.isrc)) {
      seen.add(track.isrc);
      return [];
    }
    const message = 'Another track of this release has the same ISRC.';
    return [{ track, field: 'isrc', message, measured: track.isrc, limit: 'unique' }];
  });
}

function repeatedAudio({ tracks }: PreflightInput): RawFinding[] {
  const isrcOfAudio = new Map<string, string>();
  return tracks.flatMap((track) => {
    if (track.audio === null) return [];
    const first = isrcOfAudio.get(track.audio.sha256);
    if (first === undefined) isrcOfAudio.set(track.audio.sha256, track.isrc);
    if (first === undefined || first === track.isrc) return [];
    const message = `The same audio already has the ISRC ${first}: one recording, one ISRC.`;
    return [{ track, field: 'audio_asset_id', message, measured: track.isrc, limit: first }];
  });
}

export const identifierRules = {
  upc_check_digit: {
    severity: 'error',
    readsFields: [],
    source: 'GS1 General Specifications',
    prevents: 'identifier_syntax_invalid',
    release: ({ release: { upc } }) => {
      if (isUpc(upc)) return [];
      const message = 'The UPC must have 12 digits, the last of them its GS1 check digit.';
      return [{ field: 'upc', message, measured: upc, limit: 'GS1 mod 10' }];
    },
  } satisfies Rule,
  isrc_shape: {
    severity: 'error',
    readsFields: ['isrc'],
    source: 'ISO 3901',
    prevents: 'identifier_syntax_invalid',
    track: (track) => {
      if (isIsrc(track.isrc)) return [];
      const message = 'The ISRC must be two letters, three letters or digits, and seven digits.';
      return [{ track, field: 'isrc', message, measured: track.isrc, limit: 'CCXXXYYNNNNN' }];
    },
  } satisfies Rule,
  isrc_repeated: {
    severity: 'error',
    readsFields: ['isrc'],
    source: 'ISO 3901',
    prevents: 'identifier_invalid',
    release: repeatedIsrcs,
  } satisfies Rule,
  audio_repeated: {
    severity: 'warning',
    readsFields: ['isrc', 'audioAssetId'],
    source: 'ISO 3901',
    prevents: 'identifier_invalid',
    release: repeatedAudio,
  } satisfies Rule,
};
