/** What a store needs to show a release: artists, dates, and recordings in it. */

import { childOf, childrenOf, tokenOf, type XmlElement } from '../xml-tree.ts';
import type { Reporter } from './reporter.ts';

export function checkReleases(root: XmlElement, reporter: Reporter): void {
  const releaseList = childOf(root, 'ReleaseList');
  for (const release of childrenOf(releaseList, 'Release')) {
    checkArtists(release, reporter);
    checkDates(release, reporter);
    checkContent(release, reporter);
  }
  for (const release of releaseList?.children ?? []) {
    checkId(release, reporter);
  }
  for (const recording of childrenOf(childOf(root, 'ResourceList'), 'SoundRecording')) {
    checkArtists(recording, reporter);
  }
}

function checkArtists(owner: XmlElement, reporter: Reporter): void {
  const names = childrenOf(owner, 'DisplayArtistName').map(tokenOf);
  const isNamed = names.some((name) => name !== undefined);
  if (!isNamed || childOf(owner, 'DisplayArtist') === undefined) {
    reporter.report(
      'PrimaryArtistNameMissing',
      owner,
      `${owner.name} has no artist. Send DisplayArtistName and at least one DisplayArtist.`,
    );
  }
}

function checkId(release: XmlElement, reporter: Reporter): void {
  const ids = childrenOf(release, 'ReleaseId').flatMap(({ children }) => children);
  const isReleaseLike = release.name === 'Release' || release.name === 'TrackRelease';
  if (isReleaseLike && !ids.some((id) => tokenOf(id) !== undefined)) {
    reporter.report(
      'MetadataMissing',
      release,
      `${release.name} has no id. Send ReleaseId with an ICPN, a GRid or a ProprietaryId.`,
    );
  }
}

function checkDates(release: XmlElement, reporter: Reporter): void {
  const dates = childrenOf(release, 'ReleaseDate');
  const originals = childrenOf(release, 'OriginalReleaseDate');
  for (const date of [...dates, ...originals]) {
    if (!isDate(tokenOf(date) ?? '')) {
      reporter.report(
        'CommercialReleaseDateInvalid',
        date,
        `${date.name} must be a day of the calendar, such as 2027-01-15.`,
      );
    }
  }
  const first = dates.map((date) => tokenOf(date) ?? '').toSorted()[0];
  for (const original of originals) {
    const day = tokenOf(original) ?? '';
    if (first !== undefined && isLater(day, first)) {
      reporter.report(
        'OriginalReleaseDateLaterThanReleaseDate',
        original,
        `OriginalReleaseDate ${day.slice(0, 20)} is later than ReleaseDate ${first.slice(0, 20)}.`,
      );
    }
  }
}

/** `2027`, `2027-01`, `2027-01-15`; a zone may follow. */
function isDate(date: string): boolean {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(date);
  if (parts === null) {
    return false;
  }
  const [, year, month = '01', day = '01'] = parts;
  const time = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(8, 10) === day;
}

/** Compared as far as both are known: 2027-06 is not later than 2027. */
function isLater(date: string, other: string): boolean {
  const length = Math.min(date.length, other.length, 10);
  return date.slice(0, length) > other.slice(0, length);
}

function checkContent(release: XmlElement, reporter: Reporter): void {
  if (!holdsResource(childOf(release, 'ResourceGroup'))) {
    reporter.report(
      'ResourceMissing',
      release,
      'The release contains no recording. List them in ResourceGroup.',
    );
  }
}

function holdsResource(group: XmlElement | undefined): boolean {
  return (
    childrenOf(group, 'ResourceGroupContentItem').length > 0 ||
    childrenOf(group, 'ResourceGroup').some(holdsResource)
  );
}
