/** An album of two tracks on two discs, for tests that look at single elements. */

import type { Deal, NewReleaseMessage, Party, Track } from '../src/index.ts';

const sender = { dpid: 'PADPIDA2025010101X', name: 'Example Distribution' };
const band: Party = { name: 'The Fictional Band' };

export const streaming: Deal = {
  territories: { excluded: ['RU'] },
  period: { start: '2026-06-20T00:00:00' },
  commercialModels: ['SubscriptionModel'],
  useTypes: ['OnDemandStream', 'NonInteractiveStream'],
};

export const exampleTrack = (number: number, more: Partial<Track> = {}): Track => ({
  disc: 1,
  number,
  editions: [{ isrc: `QZFIC260000${number}` }],
  title: { text: `Song ${number}` },
  displayArtistName: band.name,
  artists: [{ party: band, role: 'MainArtist' }],
  durationMs: 192_000,
  parentalWarning: 'NotExplicit',
  trackRelease: {
    ids: { proprietaryIds: [{ namespace: sender.dpid, value: `QZFIC260000${number}` }] },
    genre: { text: 'Electronic' },
    deals: [streaming],
  },
  ...more,
});

export const exampleAlbum: NewReleaseMessage = {
  kind: 'new_release',
  header: {
    messageId: 'msg_1',
    sender,
    recipients: [{ dpid: 'PADPIDA2025020202Y' }],
    createdAt: '2026-06-01T10:00:00Z',
  },
  language: 'en',
  profile: 'Audio',
  release: {
    ids: { icpn: '123456789012' },
    type: 'Album',
    title: { text: 'Made Up Seas', version: 'Live' },
    displayArtistName: band.name,
    artists: [{ party: band, role: 'MainArtist' }],
    label: { name: 'Example Records' },
    genre: { text: 'Electronic' },
    parentalWarning: 'NotExplicit',
    deals: [streaming],
  },
  tracks: [exampleTrack(1), exampleTrack(2)],
};

export const withTracks = (...tracks: readonly Track[]): NewReleaseMessage => ({
  ...exampleAlbum,
  tracks,
});

export const withDeals = (...deals: readonly Deal[]): NewReleaseMessage => ({
  ...exampleAlbum,
  release: { ...exampleAlbum.release, deals },
});
