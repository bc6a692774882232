/** Golden fixtures: identifiers, dates and territories. */
import { base, trackAt, wav, withRelease, withTrack } from './preflight-base.ts';
import { type GoldenRules, silent, told } from './preflight-golden.ts';

export const identifierGolden: GoldenRules = {
  upc_check_digit: {
    severity: 'error',
    pass: silent(base),
    fail: told(withRelease({ upc: '036000291453' }), '/upc', ['036000291453', 'GS1 mod 10']),
    // Valid only with the weights the wrong way round.
    edge: told(withRelease({ upc: '036000291458' }), '/upc', ['036000291458', 'GS1 mod 10']),
  },
  isrc_shape: {
    severity: 'error',
    pass: silent(base),
    fail: told(withTrack({ isrc: 'QZTNA2700' }), '/tracks/0/isrc', ['QZTNA2700', 'CCXXXYYNNNNN']),
    edge: told(withTrack({ isrc: 'QZ-TNA-27-00001' }), '/tracks/0/isrc', [
      'QZ-TNA-27-00001',
      'CCXXXYYNNNNN',
    ]),
  },
  isrc_repeated: {
    severity: 'error',
    pass: silent(base),
    fail: told(withTrack({ isrc: trackAt(0, '').isrc }, 1), '/tracks/1/isrc', [
      'QZTNA2700000',
      'unique',
    ]),
    edge: silent(withTrack({ isrc: 'QZTNB2700000' }, 1)),
  },
  audio_repeated: {
    severity: 'warning',
    pass: silent(base),
    fail: told(
      withTrack({ audio: { sha256: '0'.repeat(64), facts: wav } }, 1),
      '/tracks/1/audio_asset_id',
      ['QZTNA2700001', 'QZTNA2700000'],
    ),
    // The same recording under its one ISRC.
    edge: silent(withTrack({ audio: trackAt(0, '').audio, isrc: trackAt(0, '').isrc }, 1)),
  },
};

const date = '/release_date';

export const dateGolden: GoldenRules = {
  release_date_past: {
    severity: 'error',
    pass: silent(base),
    fail: told(withRelease({ releaseDate: '2026-11-14' }), date, ['2026-11-14', '2026-11-15']),
    edge: told(withRelease({ releaseDate: '2026-11-15' }), date, ['2026-11-15', '2026-11-15']),
    more: [silent(withRelease({ releaseDate: '2026-11-16' }))],
  },
  original_date_later: {
    severity: 'error',
    pass: silent(withRelease({ originalReleaseDate: '1999-12-31' })),
    fail: told(withRelease({ originalReleaseDate: '2027-01-16' }), '/original_release_date', [
      '2027-01-16',
      '2027-01-15',
    ]),
    edge: silent(withRelease({ originalReleaseDate: '2027-01-15' })),
  },
  lead_time: {
    severity: 'warning',
    pass: silent(base),
    // Friday to release on Thursday: four business days and a weekend.
    fail: told(
      { ...withRelease({ releaseDate: '2026-11-19' }), today: '2026-11-13' },
      date,
      ['2026-11-13', '2026-11-12'],
      { stores: ['apex', 'beat'] },
    ),
    edge: silent({ ...withRelease({ releaseDate: '2026-11-20' }), today: '2026-11-13' }),
    more: [
      silent({ ...withRelease({ releaseDate: '2026-11-19' }), stores: [] }),
      silent(withRelease({ releaseDate: '2026-11-15' })),
    ],
  },
};

const territory = '/tracks/0/territory';
const inEurope = withRelease({ territories: ['DE', 'AT'] });
const worldLicence = ['DE', 'AT'];
const toTrack = (codes: readonly string[] | null) => ({
  fix: { tracks: { trk_0: { territory: codes } } },
});

export const territoryGolden: GoldenRules = {
  territories_unlicensed: {
    severity: 'error',
    pass: silent({ ...base, licensedTerritories: ['DE'] }),
    fail: told(
      { ...withRelease({ territories: ['JP'] }), licensedTerritories: ['DE', 'US'] },
      '/territories',
      ['JP', 'DE, US'],
    ),
    edge: silent({
      ...withRelease({ territories: ['JP', 'DE'] }),
      licensedTerritories: ['DE', 'US'],
    }),
    more: [told(withRelease({ territories: [] }), '/territories', ['', 'WORLD'])],
  },
  territories_of_store: {
    severity: 'error',
    pass: silent(base),
    fail: told(withRelease({ territories: ['US', 'SE'] }), '/territories', ['US, SE', 'DE, JP'], {
      stores: ['calm'],
    }),
    // Each pair overlaps, all three do not.
    edge: told(
      { ...withRelease({ territories: ['US', 'JP'] }), licensedTerritories: ['US', 'DE'] },
      '/territories',
      ['US, JP', 'DE, JP'],
      { stores: ['calm'] },
    ),
    more: [silent({ ...withRelease({ territories: ['US'] }), stores: [] })],
  },
  track_territory: {
    severity: 'error',
    pass: silent(withTrack({ territory: ['DE'] }, 0, inEurope)),
    fail: told(
      withTrack({ territory: ['US', 'DE', 'JP'] }, 0, inEurope),
      territory,
      ['US, JP', 'DE, AT'],
      toTrack(['DE']),
    ),
    edge: silent(withTrack({ territory: ['AT', 'DE'] }, 0, inEurope)),
    more: [
      silent(withTrack({ territory: null }, 0, inEurope)),
      told(
        withTrack({ territory: ['US'] }, 0, inEurope),
        territory,
        ['US', 'DE, AT'],
        toTrack(null),
      ),
      told(
        withTrack({ territory: ['WORLD'] }, 0, inEurope),
        territory,
        ['WORLD', 'DE, AT'],
        toTrack(['DE', 'AT']),
      ),
      silent({
        ...withTrack({ territory: ['WORLD'] }, 0, inEurope),
        licensedTerritories: worldLicence,
      }),
      told(
        { ...withTrack({ territory: ['DE', 'US'] }), licensedTerritories: worldLicence },
        territory,
        ['US', 'WORLD'],
        toTrack(['DE']),
      ),
    ],
  },
};
