/** Golden fixtures: identifiers, dates and territories. */

import type { PreflightTrack } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { everyTerritory, toTerritorySet } from '../../src/kernel/territory-set.ts';
import {
  base,
  relatedTrack,
  trackAt,
  wav,
  withAudio,
  withHeld,
  withRelated,
  withRelease,
  withTrack,
} from './preflight-base.ts';
import { type GoldenRules, expectNothing, expectFinding } from './preflight-golden.ts';

export const identifierGolden: GoldenRules = {
  upc_check_digit: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withRelease({ upc: '036000291453' }), '/upc', [
      '036000291453',
      'GS1 mod 10',
    ]),
    // Valid only if the weights 1 and 3 are swapped.
    edge: expectFinding(withRelease({ upc: '036000291458' }), '/upc', [
      '036000291458',
      'GS1 mod 10',
    ]),
  },
  isrc_shape: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withTrack({ isrc: 'QZTNA2700' }), '/tracks/0/isrc', [
      'QZTNA2700',
      'CC-XXX-YY-NNNNN',
    ]),
    edge: expectFinding(withTrack({ isrc: 'QZ-TNA-27-00001' }), '/tracks/0/isrc', [
      'QZ-TNA-27-00001',
      'CC-XXX-YY-NNNNN',
    ]),
  },
  isrc_repeated: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withTrack({ isrc: trackAt(0, '').isrc }, 1), '/tracks/1/isrc', [
      'QZ-TNA-27-00000',
      'unique',
    ]),
    edge: expectNothing(withTrack({ isrc: 'QZTNB2700000' }, 1)),
  },
  code_held_elsewhere: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(
      withHeld({ storeId: 'beat', code: trackAt(0, '').isrc, territories: everyTerritory }),
      '/tracks/0/isrc',
      ['QZ-TNA-27-00000', null],
      { stores: ['beat'] },
    ),
    // In a territory where the store sells nothing.
    edge: expectNothing(
      withHeld({
        storeId: 'beat',
        code: trackAt(0, '').isrc,
        territories: toTerritorySet(['JP']),
      }),
    ),
    more: [
      expectNothing(
        withHeld({ storeId: 'beat', code: 'QZTNB2700000', territories: everyTerritory }),
      ),
    ],
  },
  isrc_duration: {
    severity: 'error',
    // A single, then the master for the album: another file, nearly as long.
    pass: expectNothing(withRelated([relatedTrack({}, { durationMs: 181_500 })])),
    fail: expectFinding(
      withRelated([relatedTrack({}, { durationMs: 177_999 })]),
      '/tracks/0/isrc',
      [2_001, 2_000],
    ),
    edge: expectNothing(withRelated([relatedTrack({}, { durationMs: 182_000 })])),
    more: [
      expectNothing(withRelated([relatedTrack({ isrc: 'QZTNB2700000' }, { durationMs: 60_000 })])),
      expectNothing(withRelated([relatedTrack({ audio: null })])),
      expectNothing(
        withRelated(
          [relatedTrack({}, { durationMs: 60_000 })],
          withTrack({ audio: null, durationMs: null }),
        ),
      ),
      expectFinding(
        withRelated([relatedTrack({}), relatedTrack({ id: 'trk_8' }, { durationMs: 60_000 })]),
        '/tracks/0/isrc',
        [120_000, 2_000],
      ),
      // Of two tracks of this release the second is reported, as by isrc_repeated.
      expectFinding(
        withAudio({ durationMs: 200_000 }, 1, withTrack({ isrc: trackAt(0, '').isrc }, 1)),
        '/tracks/1/isrc',
        [20_000, 2_000],
      ),
    ],
  },
  audio_repeated: {
    severity: 'warning',
    pass: expectNothing(base),
    fail: expectFinding(
      withTrack({ audio: { sha256: '0'.repeat(64), facts: wav } }, 1),
      '/tracks/1/audio_asset_id',
      ['QZ-TNA-27-00001', 'QZ-TNA-27-00000'],
    ),
    // The same recording with the same ISRC.
    edge: expectNothing(withTrack({ audio: trackAt(0, '').audio, isrc: trackAt(0, '').isrc }, 1)),
    more: [
      // Another file with the same samples.
      expectFinding(
        withAudio({ format: 'flac', pcmSha256: 'a' }, 1, withAudio({ pcmSha256: 'a' })),
        '/tracks/1/audio_asset_id',
        ['QZ-TNA-27-00001', 'QZ-TNA-27-00000'],
      ),
      expectFinding(
        withRelated(
          [relatedTrack({ isrc: 'QZTNB2700000' }, { pcmSha256: 'a' })],
          withAudio({ pcmSha256: 'a' }),
        ),
        '/tracks/0/audio_asset_id',
        ['QZ-TNA-27-00000', 'QZ-TNB-27-00000'],
      ),
      // Examined before and after samples were hashed: the bytes decide.
      expectFinding(
        withRelated([
          relatedTrack({
            isrc: 'QZTNB2700000',
            audio: { sha256: '0'.repeat(64), facts: { ...wav, pcmSha256: 'a' } },
          }),
        ]),
        '/tracks/0/audio_asset_id',
        ['QZ-TNA-27-00000', 'QZ-TNB-27-00000'],
      ),
      expectNothing(withRelated([relatedTrack({ isrc: 'QZTNB2700000' })])),
      expectNothing(
        withRelated(
          [relatedTrack({ isrc: 'QZTNB2700000' }, { pcmSha256: 'b' })],
          withAudio({ pcmSha256: 'a' }),
        ),
      ),
      expectNothing(
        withRelated(
          [relatedTrack({ isrc: trackAt(0, '').isrc }, { pcmSha256: 'a' })],
          withAudio({ pcmSha256: 'a' }),
        ),
      ),
    ],
  },
};

const date = '/release_date';

export const dateGolden: GoldenRules = {
  release_date_past: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(withRelease({ releaseDate: '2026-11-14' }), date, [
      '2026-11-14',
      '2026-11-15',
    ]),
    edge: expectFinding(withRelease({ releaseDate: '2026-11-15' }), date, [
      '2026-11-15',
      '2026-11-15',
    ]),
    more: [
      expectNothing(withRelease({ releaseDate: '2026-11-16' })),
      // In Auckland it is already the release date; in UTC it is today.
      expectFinding(
        withRelease({ releaseDate: '2026-11-16', releaseAt: '2026-11-15T23:59:59.999Z' }),
        '/release_at',
        ['2026-11-15T23:59:59.999Z', '2026-11-15'],
      ),
      expectNothing(
        withRelease({ releaseDate: '2026-11-16', releaseAt: '2026-11-16T00:00:00.000Z' }),
      ),
      // Spec §4.1: the release date decides, also where it is still that day elsewhere.
      expectFinding(
        withRelease({ releaseDate: '2026-11-15', releaseAt: '2026-11-16T08:00:00.000Z' }),
        date,
        ['2026-11-15', '2026-11-15'],
      ),
    ],
  },
  original_date_later: {
    severity: 'error',
    pass: expectNothing(withRelease({ originalReleaseDate: '1999-12-31' })),
    fail: expectFinding(
      withRelease({ originalReleaseDate: '2027-01-16' }),
      '/original_release_date',
      ['2027-01-16', '2027-01-15'],
    ),
    edge: expectNothing(withRelease({ originalReleaseDate: '2027-01-15' })),
    more: [
      expectNothing(withTrack({ originalReleaseDate: '2027-01-15' })),
      expectFinding(
        withTrack({ originalReleaseDate: '2027-01-16' }, 1),
        '/tracks/1/original_release_date',
        ['2027-01-16', '2027-01-15'],
      ),
    ],
  },
  lead_time: {
    severity: 'warning',
    pass: expectNothing(base),
    // From Friday to the release on Thursday: four business days and a weekend.
    fail: expectFinding(
      { ...withRelease({ releaseDate: '2026-11-19' }), today: '2026-11-13' },
      date,
      ['2026-11-13', '2026-11-12'],
      { stores: ['apex', 'beat'] },
    ),
    edge: expectNothing({ ...withRelease({ releaseDate: '2026-11-20' }), today: '2026-11-13' }),
    more: [
      expectNothing({ ...withRelease({ releaseDate: '2026-11-19' }), stores: [] }),
      expectNothing(withRelease({ releaseDate: '2026-11-15' })),
      // At the edge by its date, a business day too late by its moment.
      expectFinding(
        {
          ...withRelease({ releaseDate: '2026-11-20', releaseAt: '2026-11-19T11:00:00.000Z' }),
          today: '2026-11-13',
        },
        date,
        ['2026-11-13', '2026-11-12'],
        { stores: ['apex', 'beat'] },
      ),
      expectNothing({
        ...withRelease({ releaseDate: '2026-11-19', releaseAt: '2026-11-20T08:00:00.000Z' }),
        today: '2026-11-13',
      }),
      expectNothing(
        withRelease({ releaseDate: '2026-11-16', releaseAt: '2026-11-15T11:00:00.000Z' }),
      ),
    ],
  },
};

const territory = '/tracks/0/territory';
const inEurope = withRelease({ territories: ['DE', 'AT'] });
const worldLicence = ['DE', 'AT'];
const toTrack = (codes: readonly string[] | null) => ({
  fix: { tracks: { trk_0: { territory: codes } } },
});
const rightsOf = (edit: Pick<PreflightTrack, 'territory' | 'excludedTerritories'>) => ({
  fix: { tracks: { trk_0: edit } },
});
const exceptTwo = withRelease({ excludedTerritories: ['RU', 'BY'] });

export const territoryGolden: GoldenRules = {
  territories_unlicensed: {
    severity: 'error',
    pass: expectNothing({ ...base, licensedTerritories: ['DE'] }),
    fail: expectFinding(
      { ...withRelease({ territories: ['JP'] }), licensedTerritories: ['DE', 'US'] },
      '/territories',
      ['JP', 'DE, US'],
    ),
    edge: expectNothing({
      ...withRelease({ territories: ['JP', 'DE'] }),
      licensedTerritories: ['DE', 'US'],
    }),
    more: [
      expectFinding(withRelease({ territories: [] }), '/territories', ['', 'WORLD']),
      // The licence became smaller since.
      expectFinding({ ...exceptTwo, licensedTerritories: ['RU'] }, '/territories', [
        'WORLD except RU, BY',
        'RU',
      ]),
      expectNothing({ ...exceptTwo, licensedTerritories: ['RU', 'DE'] }),
    ],
  },
  territories_of_store: {
    severity: 'error',
    pass: expectNothing(base),
    fail: expectFinding(
      withRelease({ territories: ['US', 'SE'] }),
      '/territories',
      ['US, SE', 'DE, JP'],
      {
        stores: ['calm'],
      },
    ),
    // Release, licence and store overlap in pairs, but not all three.
    edge: expectFinding(
      { ...withRelease({ territories: ['US', 'JP'] }), licensedTerritories: ['US', 'DE'] },
      '/territories',
      ['US, JP', 'DE, JP'],
      { stores: ['calm'] },
    ),
    more: [
      expectNothing({ ...withRelease({ territories: ['US'] }), stores: [] }),
      expectFinding(
        withRelease({ excludedTerritories: ['DE', 'JP'] }),
        '/territories',
        ['WORLD except DE, JP', 'DE, JP'],
        { stores: ['calm'] },
      ),
      expectNothing(withRelease({ excludedTerritories: ['DE'] })),
    ],
  },
  track_territory: {
    severity: 'error',
    pass: expectNothing(withTrack({ territory: ['DE'] }, 0, inEurope)),
    fail: expectFinding(
      withTrack({ territory: ['US', 'DE', 'JP'] }, 0, inEurope),
      territory,
      ['US, JP', 'DE, AT'],
      toTrack(['DE']),
    ),
    edge: expectNothing(withTrack({ territory: ['AT', 'DE'] }, 0, inEurope)),
    more: [
      expectNothing(withTrack({ territory: null }, 0, inEurope)),
      expectFinding(
        withTrack({ territory: ['US'] }, 0, inEurope),
        territory,
        ['US', 'DE, AT'],
        toTrack(null),
      ),
      expectFinding(
        withTrack({ territory: ['WORLD'] }, 0, inEurope),
        territory,
        ['WORLD', 'DE, AT'],
        toTrack(['DE', 'AT']),
      ),
      expectNothing({
        ...withTrack({ territory: ['WORLD'] }, 0, inEurope),
        licensedTerritories: worldLicence,
      }),
      expectFinding(
        { ...withTrack({ territory: ['DE', 'US'] }), licensedTerritories: worldLicence },
        territory,
        ['US', 'WORLD'],
        toTrack(['DE']),
      ),
      expectFinding(
        withTrack({ territory: ['WORLD'] }, 0, exceptTwo),
        territory,
        ['BY, RU', 'WORLD except RU, BY'],
        { fix: { tracks: { trk_0: { excludedTerritories: ['RU', 'BY'] } } } },
      ),
      expectFinding(
        withTrack({ territory: ['WORLD'], excludedTerritories: ['CN', 'RU'] }, 0, exceptTwo),
        territory,
        ['BY', 'WORLD except RU, BY'],
        { fix: { tracks: { trk_0: { excludedTerritories: ['CN', 'RU', 'BY'] } } } },
      ),
      expectNothing(
        withTrack({ territory: ['WORLD'], excludedTerritories: ['BY', 'CN', 'RU'] }, 0, exceptTwo),
      ),
      expectNothing(withTrack({ excludedTerritories: ['CN'] }, 0, exceptTwo)),
      expectFinding(
        withTrack({ territory: ['DE', 'RU'] }, 0, exceptTwo),
        territory,
        ['RU', 'WORLD except RU, BY'],
        toTrack(['DE']),
      ),
      // Codes instead of exclusions, where the release has codes.
      expectFinding(
        withTrack({ territory: ['WORLD'], excludedTerritories: ['AT'] }, 0, inEurope),
        territory,
        ['WORLD', 'DE, AT'],
        rightsOf({ territory: ['DE'], excludedTerritories: null }),
      ),
      expectFinding(
        withTrack({ territory: ['WORLD'], excludedTerritories: ['AT', 'DE'] }, 0, inEurope),
        territory,
        ['WORLD', 'DE, AT'],
        rightsOf({ territory: null, excludedTerritories: null }),
      ),
      // A withdrawn track is sold nowhere.
      expectNothing(withTrack({ territory: ['US'], useTypes: [] }, 0, inEurope)),
    ],
  },
};
