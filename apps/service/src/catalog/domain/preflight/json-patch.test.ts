import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base } from '../../../../test/proofs/preflight-base.ts';
import { toJsonPatch } from './json-patch.ts';

test('a fix becomes replacements under the names and in the form of the wire', () => {
  const artists = [
    { name: 'Mo', role: 'main' as const, storeProfiles: { zeta: '2', apex: '1' } },
    { name: 'Li', role: 'main' as const, isni: '0000000121032683' },
  ];
  const fix = {
    release: { pLine: '2027 A', version: null },
    tracks: {
      trk_0: {
        contributors: [{ name: 'Mo', roles: ['composer' as const], ipi: '00045620792' }],
        aiUse: { recording: 'partly' as const, composition: null },
      },
      trk_1: { artists, territory: ['DE'], isrc: 'QZTNA2700009' },
      trk_9: { title: 'of another release' },
    },
  };
  assert.deepEqual(toJsonPatch(base, fix), [
    { op: 'replace', path: '/p_line', value: '2027 A' },
    { op: 'replace', path: '/version', value: null },
    {
      op: 'replace',
      path: '/tracks/0/ai_use',
      value: { recording: 'partly', composition: null },
    },
    {
      op: 'replace',
      path: '/tracks/0/contributors',
      value: [{ name: 'Mo', roles: ['composer'], ipi: '00045620792' }],
    },
    { op: 'replace', path: '/tracks/1/territory', value: ['DE'] },
    {
      op: 'replace',
      path: '/tracks/1/artists',
      value: [
        { name: 'Mo', role: 'main', store_profiles: { apex: '1', zeta: '2' } },
        { name: 'Li', role: 'main', isni: '0000000121032683' },
      ],
    },
    { op: 'replace', path: '/tracks/1/isrc', value: 'QZ-TNA-27-00009' },
  ]);
});
