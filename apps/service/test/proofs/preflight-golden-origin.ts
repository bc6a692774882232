/** Golden fixtures: covers, samples, subgenres and titles in other languages (catalogue §4). */

import type { PreflightTrack } from '../../src/catalog/domain/preflight/preflight-input.ts';
import { base, stores, withRelease, withTrack } from './preflight-base.ts';
import { type GoldenRules, expectNothing, expectFinding } from './preflight-golden.ts';

const streams = ['ad_supported_stream', 'subscription_stream'] as const;
const cover = (edit: Partial<PreflightTrack> = {}, input = base) =>
  withTrack({ composition: 'cover', ...edit }, 0, input);
const licence = '/tracks/0/mechanical_licence';
const missing = [null, 'a license'] as const;
const monetized = (edit: Partial<PreflightTrack>, input = base) =>
  withTrack({ ugcPolicy: 'monetize', ...edit }, 0, input);
const policy = '/tracks/0/ugc_policy';
const policies = ['monetize', 'track, block'] as const;
const tracked = { fix: { tracks: { trk_0: { ugcPolicy: 'track' } } }, stores: ['calm'] } as const;

export const originGolden: GoldenRules = {
  cover_licence: {
    severity: 'error',
    pass: expectNothing(cover({ mechanicalLicence: 'HFA 123' })),
    // Of the stores with downloads, only apex is in the US.
    fail: expectFinding(cover(), licence, missing, { stores: ['apex'] }),
    edge: expectNothing(cover({ excludedTerritories: ['US'] })),
    more: [
      expectFinding(cover({ territory: ['US'], useTypes: ['download'] }), licence, missing, {
        stores: ['apex'],
      }),
      expectNothing(cover({ useTypes: streams })),
      expectNothing(cover({ useTypes: [] })),
      expectNothing(cover({}, withRelease({ useTypes: streams }))),
      expectNothing(cover({}, withRelease({ excludedTerritories: ['US'] }))),
      expectNothing({ ...cover(), licensedTerritories: ['DE'] }),
      expectNothing({ ...cover(), stores: stores.slice(1) }),
      expectNothing(cover({ composition: 'public_domain', iswc: 'T0345246801' })),
      expectNothing(cover({ composition: null })),
    ],
  },
  ugc_monetized: {
    severity: 'error',
    pass: expectNothing(monetized({ samples: 'none', composition: 'original' })),
    fail: expectFinding(monetized({ samples: 'cleared' }), policy, policies, tracked),
    edge: expectFinding(monetized({ composition: 'public_domain' }), policy, policies, tracked),
    more: [
      expectNothing(monetized({ samples: 'cleared', ugcPolicy: 'track' })),
      expectNothing(monetized({ samples: 'cleared', ugcPolicy: null })),
      expectNothing(monetized({ composition: 'cover' })),
      // No store with videos of users gets the track.
      expectNothing(monetized({ samples: 'cleared', useTypes: ['download'] })),
      expectNothing(monetized({ samples: 'cleared', territory: ['US'] })),
      expectNothing({ ...monetized({ samples: 'cleared' }), stores: stores.slice(0, 2) }),
    ],
  },
};

const title = { title: 'Nachtfahrt', version: null };
const titles = '/localized_titles';
const others = 'other languages';

export const localizedTitleGolden: GoldenRules = {
  localized_title_repeated: {
    severity: 'warning',
    pass: expectNothing(withRelease({ localizedTitles: { de: title } })),
    fail: expectFinding(
      withRelease({ localizedTitles: { de: title, en: title } }),
      titles,
      ['en', others],
      { fix: { release: { localizedTitles: { de: title } } } },
    ),
    // Another kind of English.
    edge: expectNothing(withRelease({ localizedTitles: { 'en-GB': title } })),
    more: [
      expectFinding(withRelease({ localizedTitles: { en: title } }), titles, ['en', others], {
        fix: { release: { localizedTitles: null } },
      }),
      expectFinding(
        withTrack(
          { localizedTitles: { 'pt-BR': title } },
          0,
          withRelease({ metadataLanguage: 'pt-BR' }),
        ),
        `/tracks/0${titles}`,
        ['pt-BR', others],
        { fix: { tracks: { trk_0: { localizedTitles: null } } } },
      ),
      expectNothing(
        withTrack({ localizedTitles: { en: title } }, 0, withRelease({ metadataLanguage: 'de' })),
      ),
    ],
  },
};

const unset = { fix: { release: { subgenre: null } } };

export const subgenreGolden: GoldenRules = {
  subgenre_unknown: {
    severity: 'warning',
    pass: expectNothing(withRelease({ genre: 'Pop', subgenre: 'Synth Pop' })),
    fail: expectFinding(
      withRelease({ genre: 'Pop', subgenre: 'Trap' }),
      '/subgenre',
      ['Trap', 'a subgenre of Pop'],
      unset,
    ),
    edge: expectFinding(
      withRelease({ genre: 'Pop', subgenre: 'synth-pop' }),
      '/subgenre',
      ['synth-pop', 'Synth Pop'],
      { fix: { release: { subgenre: 'Synth Pop' } } },
    ),
    more: [
      expectFinding(
        withRelease({ genre: null, subgenre: 'Trap' }),
        '/subgenre',
        ['Trap', 'a genre'],
        unset,
      ),
      // A track without a genre has that of its release.
      expectNothing(withTrack({ subgenre: 'Schlager' })),
      expectFinding(
        withTrack({ subgenre: 'Drill' }),
        '/tracks/0/subgenre',
        ['Drill', 'a subgenre of Pop'],
        { fix: { tracks: { trk_0: { subgenre: null } } } },
      ),
      expectNothing(withTrack({ genre: 'Hip-Hop', subgenre: 'Drill' })),
      // The spelling of the genre, or the genre itself, is reported by `genre_unknown`.
      expectNothing(withRelease({ genre: 'hip hop', subgenre: 'Trap' })),
      expectNothing(withRelease({ genre: 'Yacht Core', subgenre: 'Trap' })),
    ],
  },
};
