/** The largest releases and requests a partner can send, with the content that is most expensive to validate. */

import assert from 'node:assert/strict';
import type { Id } from '../../src/kernel/ids.ts';
import { type OrgClient, draft, type TestService } from '../test-service.ts';

const tracksMax = 500;
const tracksPerRequest = 90;
let isrcs = 0;

/** Violates every rule about titles. */
const hostileTitle = (i: number): string =>
  `night${i} ${'ab '.repeat(120)} volume 2 (ft a) (Live) (Clean)`;

/** About 75 KB in a release or track: a CJK character takes three bytes. */
export const longestFields = {
  metadata: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key${i}`, '夜'.repeat(500)])),
  artists: Array.from({ length: 30 }, () => ({ name: '夜'.repeat(480), role: 'main' })),
};

const hostileTrack = (releaseId: string, i: number, audio: string) => ({
  release_id: releaseId,
  title: hostileTitle(i),
  version: '(live) (clean) volume 3',
  p_line: '(p) 2027 x',
  isrc: `QZLRG26${String(isrcs++).padStart(5, '0')}`,
  audio_asset_id: audio,
  artists: [
    { name: `n${i} `.repeat(120).slice(0, 380), role: 'main' },
    ...Array.from({ length: 8 }, (_, n) => ({ name: `m${i}${n}`, role: 'main' })),
    { name: `q & r${i}`, role: 'main' },
  ],
  // With the credits that stores ask for: errors come first in a report, and would leave no room for other findings.
  contributors: [
    { name: `s & t${i}`, roles: ['performer', 'composer'] },
    { name: `u${i}`, roles: ['producer'] },
  ],
});

export const largestBulk = (releaseId: string, from: number, count: number, audio: string) => ({
  tracks: Array.from({ length: count }, (_, i) => hostileTrack(releaseId, from + i, audio)),
});

/** Creates a draft of 500 tracks and almost a mebibyte that can be submitted. */
export async function largestRelease(service: TestService, partner: OrgClient): Promise<Id<'rel'>> {
  const { json } = await partner.call(
    'POST',
    '/v1/releases',
    draft({ title: hostileTitle(0), p_line: '(p) 2027 x' }),
  );
  await service.makeSubmittable(partner, json.id);
  const audio = await service.givenAsset(partner, 'audio');
  for (let from = 1; from < tracksMax; from += tracksPerRequest) {
    const count = Math.min(tracksPerRequest, tracksMax - from);
    const body = largestBulk(json.id, from, count, audio);
    const reply = await partner.call('POST', '/v1/tracks/bulk', body);
    assert.equal(reply.status, 201, reply.text.slice(0, 500));
  }
  return json.id;
}
