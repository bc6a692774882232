/** Where a field of our bodies is in a NewReleaseMessage, so that a refusal names an element of the message. */

import type { NewReleaseMessage } from '@tonearm/ern';
import { type Violation } from '../../kernel/problem.ts';

const root = '/ern:NewReleaseMessage';
export const releasePath = `${root}/ReleaseList/Release`;
export const recordingsPath = `${root}/ResourceList/SoundRecording`;
export const dealsPath = `${root}/DealList`;

const elements: Readonly<Record<string, string>> = {
  title: '/DisplayTitle',
  version: '/DisplayTitle/SubTitle',
  localized_titles: '/DisplayTitle',
  artists: '/DisplayArtist',
  contributors: '/Contributor',
  isrc: '/SoundRecordingEdition/ResourceId/ISRC',
  upc: '/ReleaseId/ICPN',
  ean: '/ReleaseId/ICPN',
  genre: '/DisplayGenre',
  subgenre: '/DisplayGenre/SubGenre',
  label: '/ReleaseLabelReference',
  release_date: '/ReleaseDate',
  original_release_date: '/OriginalReleaseDate',
  p_line: '/PLine',
  c_line: '/CLine',
};

const ofDeals = new Set([
  'territories',
  'territory',
  'excluded_territories',
  'use_types',
  'release_at',
  'pre_order_date',
]);

/** `tracks[2].artists[0].name` → the DisplayArtist of the third track. */
function xpathOfField(field: string, message: NewReleaseMessage): string {
  const [, index, name = ''] = /^(?:tracks\[(\d+)\]\.?)?([a-z_]*)/.exec(field) ?? [];
  if (ofDeals.has(name)) return dealsPath;
  if (name === 'metadata_language') return `${root}/@LanguageAndScriptCode`;
  const base = index === undefined ? releasePath : trackPath(message, Number(index));
  return `${base}${elements[name] ?? ''}`;
}

function trackPath({ tracks }: NewReleaseMessage, index: number): string {
  const isrc = tracks[index]?.editions[0]?.isrc;
  return isrc === undefined || isrc.includes("'")
    ? recordingsPath
    : `${recordingsPath}[SoundRecordingEdition/ResourceId/ISRC='${isrc}']`;
}

/** The sentence keeps the name of our field. A field of the request itself stays as it is. */
export const inMessage = ({ field, issue }: Violation, message: NewReleaseMessage): Violation => ({
  field: field.startsWith('files') ? field : xpathOfField(field, message),
  issue: /^\p{Lu}/u.test(issue) ? issue : `The value for ${issue}`,
});
