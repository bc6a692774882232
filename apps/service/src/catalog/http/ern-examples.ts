/** The single of the story that examples tell (`kernel/example-story.ts`), as an enterprise partner sends it by DDEX. */

import { buildNewRelease, type Deal } from '@tonearm/ern';
import { exampleDay, exampleIds, exampleTime, exampleYear } from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import { draftReleaseExample } from './release-examples.ts';

const releaseDate = exampleDay(60);
const artist = { party: { name: 'Aurora Díaz' }, role: 'MainArtist' } as const;
const sender = { dpid: 'PADPIDA2026020202N', name: 'Northern Lights' };
const upc = '860001000009';
const isrc = 'QZABC2600001';
const fileUri = 'resources/01-night-drive.wav';
const deal: Deal = {
  territories: { included: ['Worldwide'] },
  period: { start: `${releaseDate}T00:00:00` },
  commercialModels: ['SubscriptionModel', 'AdvertisementSupportedModel'],
  useTypes: ['OnDemandStream', 'NonInteractiveStream'],
};
const described = {
  title: { text: 'Night Drive' },
  displayArtistName: 'Aurora Díaz',
  artists: [artist],
  durationMs: 212_000,
  parentalWarning: 'NotExplicit',
} as const;
const genre = { text: 'Electronic' };

/** The same on every call: the dates are placeholders, as in all examples. */
const ernMessageExample = buildNewRelease({
  kind: 'new_release',
  header: {
    messageId: 'NL-MSG-0001',
    sender,
    recipients: [{ dpid: 'PADPIDA2026010101T', name: 'Tonearm' }],
    createdAt: exampleTime(-1, '12:00:00'),
  },
  language: 'en',
  profile: 'Audio',
  release: {
    ...described,
    ids: { icpn: upc },
    type: 'Single',
    label: { name: 'Northern Lights' },
    pLine: { text: `${exampleYear(60)} Northern Lights` },
    cLine: { text: `${exampleYear(60)} Northern Lights` },
    genre,
    releaseDate,
    deals: [deal],
  },
  tracks: [
    {
      ...described,
      disc: 1,
      number: 1,
      editions: [{ isrc, audio: { file: { uri: fileUri } } }],
      trackRelease: {
        ids: { proprietaryIds: [{ namespace: sender.dpid, value: `${upc}_${isrc}` }] },
        genre,
        deals: [deal],
      },
    },
  ],
}).xml;

export const ernExamples = {
  receiveErn: {
    body: { message: ernMessageExample },
    answer: {
      message_id: 'NL-MSG-0001',
      ern_version: '4.3.2',
      action: 'created',
      release_id: exampleIds.rel,
      release: {
        ...draftReleaseExample,
        reference: null,
        metadata: {},
        artists: [{ name: 'Aurora Díaz', role: 'main' }],
        use_types: ['ad_supported_stream', 'subscription_stream'],
        subgenre: null,
        catalog_number: null,
        ai_use: null,
        track_count: 1,
        revision: 2,
      },
      tracks: [
        {
          track_id: exampleIds.trk,
          isrc: 'QZ-ABC-26-00001',
          file_uri: fileUri,
          audio_asset_id: null,
        },
      ],
      delivery_ids: [],
      findings: [],
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
