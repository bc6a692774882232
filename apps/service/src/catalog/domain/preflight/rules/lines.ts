/** P-line and C-line: "YYYY Owner". */

import type { Fix, PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

type Line = {
  readonly track?: PreflightTrack;
  readonly field: 'p_line' | 'c_line';
  readonly text: string | null;
  readonly fixTo: (text: string) => Fix;
};

const form = /^\d{4} \S/;
/** Stores add the sign themselves. */
const signs = /^(?:[℗©]|\([pc]\)|\s)+/i;
const source = 'DDEX practice';

const withoutSigns = (text: string): string => text.replace(signs, '');
const yearOf = (text: string): number => Number(text.slice(0, 4));

const linesOfRelease = ({ release }: PreflightInput): Line[] => [
  { field: 'p_line', text: release.pLine, fixTo: (pLine) => ({ release: { pLine } }) },
  { field: 'c_line', text: release.cLine, fixTo: (cLine) => ({ release: { cLine } }) },
];

const lineOfTrack = (track: PreflightTrack): Line => ({
  track,
  field: 'p_line',
  text: track.pLine,
  fixTo: (pLine) => ({ tracks: { [track.id]: { pLine } } }),
});

function checkMissing({ field, text, fixTo }: Line, { release }: PreflightInput): RawFinding[] {
  if (text !== null && text.trim() !== '') return [];
  const usual = `${yearOf(release.releaseDate)} ${release.label.trim()}`;
  const message = `${field} is missing. Send the year and the owner, for example "2026 Northern Lights".`;
  const limit = 'YYYY Owner';
  return [{ field, message, measured: text, limit, fixes: () => [fixTo(usual)] }];
}

function checkForm({ track, field, text, fixTo }: Line): RawFinding[] {
  if (text === null || text.trim() === '' || form.test(text)) return [];
  const fixes = () => [fixTo(withoutSigns(text))];
  const message = `${field} is not a year and an owner. Send it without the sign, for example "2026 Northern Lights".`;
  return [{ track, field, message, measured: text, limit: 'YYYY Owner', fixes }];
}

function checkYear({ track, field, text }: Line, { release, today }: PreflightInput): RawFinding[] {
  // Also after a sign, so that the fix that removes the sign causes no new finding.
  const line = withoutSigns(text ?? '');
  const limit = Math.max(yearOf(today), yearOf(release.releaseDate));
  if (!form.test(line) || yearOf(line) <= limit) return [];
  const message = `The year in ${field} is in the future. Send the year of the first publication.`;
  return [{ track, field, message, measured: yearOf(line), limit }];
}

const forLines = (check: (line: Line, input: PreflightInput) => RawFinding[]) => ({
  release: (input: PreflightInput) => linesOfRelease(input).flatMap((line) => check(line, input)),
  track: (track: PreflightTrack, input: PreflightInput) => check(lineOfTrack(track), input),
});

export const lineRules = {
  line_missing: {
    description:
      'The release should have a P-line and a C-line; stores show who owns the recording and the product.',
    severity: 'warning',
    readsFields: ['pLine', 'cLine', 'releaseDate', 'label'],
    source,
    prevents: 'metadata_missing',
    // A track without a line has that of its release.
    release: forLines(checkMissing).release,
  } satisfies Rule,
  line_form: {
    description:
      'A P-line or C-line should be a year and an owner; stores add the sign themselves.',
    severity: 'warning',
    readsFields: ['pLine', 'cLine'],
    source,
    prevents: 'new_release_message_invalid',
    ...forLines(checkForm),
  } satisfies Rule,
  line_year: {
    description:
      'The year of a P-line or C-line should not be in the future; rights cannot begin after the release.',
    severity: 'warning',
    readsFields: ['pLine', 'cLine', 'releaseDate'],
    inheritedFields: ['releaseDate'],
    source,
    prevents: 'new_release_message_invalid',
    ...forLines(checkYear),
  } satisfies Rule,
};
