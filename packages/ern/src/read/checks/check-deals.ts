import { childOf, childrenOf, tokenOf, type XmlElement } from '../xml-tree.ts';
import { findConflict } from './deal-conflicts.ts';
import type { Reporter } from './reporter.ts';

const dealListParts = new Set(['ReleaseDeal', 'ReleaseVisibility', 'TrackReleaseVisibility']);

export type DealContext = {
  /** The recipient has the release: a message without deals takes it down. */
  readonly isKnownRelease: boolean;
};

export function checkDeals(root: XmlElement, { isKnownRelease }: DealContext, reporter: Reporter) {
  const dealList = childOf(root, 'DealList');
  for (const part of dealList?.children ?? []) {
    if (!dealListParts.has(part.name)) {
      reporter.report(
        'NewReleaseMessageInvalid',
        part,
        `DealList has no element ${part.name}. To take a release down, send it without deals.`,
      );
    }
  }
  const releaseDeals = childrenOf(dealList, 'ReleaseDeal');
  const isOffered = releaseDeals.some((releaseDeal) => childrenOf(releaseDeal, 'Deal').length > 0);
  if (!isOffered && !isKnownRelease) {
    reporter.report(
      'NoDealInNewReleaseMessage',
      dealList ?? root,
      'There is no deal, and the release is not known. Send DealList with at least one deal.',
    );
  }
  if (isOffered) {
    checkTrackDeals(root, releaseDeals, reporter);
  }
  checkTerms(releaseDeals, reporter);
  checkConflicts(releaseDeals, reporter);
}

/** A track without deals is not sold by itself; if that is so for all of them, most stores play none. */
function checkTrackDeals(
  root: XmlElement,
  releaseDeals: readonly XmlElement[],
  reporter: Reporter,
): void {
  const trackReleases = childrenOf(childOf(root, 'ReleaseList'), 'TrackRelease');
  const offered = new Set(
    releaseDeals
      .filter((releaseDeal) => childOf(releaseDeal, 'Deal') !== undefined)
      .flatMap((releaseDeal) => childrenOf(releaseDeal, 'DealReleaseReference').map(tokenOf)),
  );
  const [first] = trackReleases;
  const isAnyOffered = trackReleases.some((trackRelease) =>
    offered.has(tokenOf(childOf(trackRelease, 'ReleaseReference'))),
  );
  if (first !== undefined && !isAnyOffered) {
    reporter.report(
      'NoDealForTrackRelease',
      first,
      'No TrackRelease has a deal. List their references in the deals that are about them.',
    );
  }
}

function checkTerms(releaseDeals: readonly XmlElement[], reporter: Reporter): void {
  for (const deal of releaseDeals.flatMap((releaseDeal) => childrenOf(releaseDeal, 'Deal'))) {
    const terms = childOf(deal, 'DealTerms') ?? deal;
    checkTerritories(terms, reporter);
    checkPeriod(terms, reporter);
    for (const name of ['CommercialModelType', 'UseType']) {
      if (childOf(terms, name) === undefined) {
        reporter.report('UnsupportedUsage', terms, `${name} is missing.`);
      }
    }
  }
}

function checkTerritories(terms: XmlElement, reporter: Reporter): void {
  const included = childrenOf(terms, 'TerritoryCode');
  const excluded = childrenOf(terms, 'ExcludedTerritoryCode');
  const invalid = (at: XmlElement, message: string) =>
    reporter.report('NewReleaseMessageInvalid', at, message);
  if (included[0] !== undefined && excluded[0] !== undefined) {
    invalid(excluded[0], 'Send TerritoryCode or ExcludedTerritoryCode, not both.');
  }
  if (included.length + excluded.length === 0) {
    invalid(terms, 'The deal names no territory. Send TerritoryCode, for the world Worldwide.');
  }
  const seen = new Set<string | undefined>();
  for (const territory of [...included, ...excluded]) {
    const code = tokenOf(territory);
    if (seen.has(code)) {
      invalid(territory, `${territory.name} ${code ?? ''} is given twice.`);
    }
    seen.add(code);
    const isAlone = included.length === 1 && excluded.length === 0;
    if (code === 'Worldwide' && !isAlone) {
      invalid(territory, 'Worldwide must be the only TerritoryCode of a deal.');
    }
  }
}

const timeShape =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?))?(Z|[+-]\d{2}:\d{2})?$/;

function checkPeriod(terms: XmlElement, reporter: Reporter): void {
  const period = childOf(terms, 'ValidityPeriod');
  const start = childOf(period, 'StartDateTime') ?? childOf(period, 'StartDate');
  const end = childOf(period, 'EndDateTime') ?? childOf(period, 'EndDate');
  if (start === undefined) {
    reporter.report(
      'NewReleaseMessageInvalid',
      period ?? terms,
      'The deal has no start. Send StartDateTime or StartDate in ValidityPeriod.',
    );
  }
  const [startMs, endMs] = [start, end].map((time) => time && timeOf(time, reporter));
  if (end !== undefined && startMs !== undefined && endMs !== undefined && endMs < startMs) {
    reporter.report('CommercialReleaseDateInvalid', end, 'The deal ends before it starts.');
  }
}

/** Local times are compared as if they were in UTC. */
function timeOf(time: XmlElement, reporter: Reporter): number | undefined {
  const [isTime, day = '', clock = '00:00:00', zone = 'Z'] =
    timeShape.exec(tokenOf(time) ?? '') ?? [];
  const ms = isTime === undefined ? Number.NaN : Date.parse(`${day}T${clock}${zone}`);
  if (Number.isNaN(ms)) {
    reporter.report(
      'CommercialReleaseDateInvalid',
      time,
      `${time.name} must be a time such as 2027-01-15T00:00:00, or a day.`,
    );
    return undefined;
  }
  return ms;
}

function checkConflicts(releaseDeals: readonly XmlElement[], reporter: Reporter): void {
  const conflict = findConflict(releaseDeals);
  if (conflict !== undefined) {
    reporter.report(
      'ConflictingAvailabilityPeriods',
      conflict.deal,
      `Two deals of ${conflict.reference} start at the same time for the same use in the same territory.`,
    );
  }
}
