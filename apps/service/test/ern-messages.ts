/** ERN messages as an enterprise partner would send them. */

import { randomUUID } from 'node:crypto';
import { buildPurge, type Deal, type NewReleaseMessage } from '@tonearm/ern';
import { upcFromNumber } from '../src/kernel/upc.ts';

const start = '2027-01-15T00:00:00';
export const streaming: Deal = {
  territories: { included: ['Worldwide'] },
  period: { start },
  commercialModels: ['SubscriptionModel', 'AdvertisementSupportedModel'],
  useTypes: ['OnDemandStream', 'NonInteractiveStream'],
};
export const download: Deal = {
  territories: { included: ['Worldwide'] },
  period: { start },
  commercialModels: ['PayAsYouGoModel'],
  useTypes: ['PermanentDownload'],
};

let nextNumber = 77_700_000_001;
let nextIsrc = 1;
export const newUpc = () => upcFromNumber(nextNumber++);
export const newIsrc = () => `QZERN26${String(nextIsrc++).padStart(5, '0')}`;

type TrackFields = {
  readonly isrc?: string;
  readonly title?: string;
  readonly deals?: readonly Deal[];
};

export const header = () => ({
  messageId: `M-${randomUUID()}`,
  sender: { dpid: 'PADPIDA2026020202N' },
  recipients: [{ dpid: 'PADPIDA2026010101T' }],
  createdAt: '2026-11-16T12:00:00Z',
});

export function album(
  upc: string,
  tracks: readonly TrackFields[] = [{}, {}],
  { title = 'Made Up Seas', deals = [streaming, download] as readonly Deal[] } = {},
): NewReleaseMessage {
  const artist = { party: { name: 'The Fictional Band' }, role: 'MainArtist' } as const;
  const common = {
    displayArtistName: 'The Fictional Band',
    artists: [artist],
    parentalWarning: 'NotExplicit',
  } as const;
  return {
    kind: 'new_release',
    header: header(),
    language: 'en',
    profile: 'Audio',
    release: {
      ...common,
      ids: { icpn: upc },
      type: 'Album',
      title: { text: title },
      label: { name: 'Example Records' },
      pLine: { year: 2027, text: '(P) 2027 Example Records' },
      genre: { text: 'Electronic' },
      releaseDate: '2027-01-15',
      cover: {
        proprietaryIds: [{ namespace: 'PADPIDA2026020202N', value: 'cover' }],
        file: { uri: 'resources/cover.jpg' },
      },
      deals,
    },
    tracks: tracks.map(
      ({ isrc = newIsrc(), title: ofTrack = `Tide ${isrc}`, deals: own = deals }, i) => ({
        ...common,
        disc: 1,
        number: i + 1,
        title: { text: ofTrack },
        editions: [{ isrc, audio: { file: { uri: `resources/0${i + 1}.wav` } } }],
        contributors: [{ party: { name: 'Ada Writer' }, roles: ['Composer'] }],
        durationMs: 180_000,
        trackRelease: {
          ids: { proprietaryIds: [{ namespace: 'PADPIDA2026020202N', value: `${upc}_${isrc}` }] },
          genre: { text: 'Electronic' },
          deals: own,
        },
      }),
    ),
  };
}

export const purgeOf = (code: string): string =>
  buildPurge({ kind: 'purge_release', header: header(), language: 'en', ids: { icpn: code } }).xml;
