/** The release, with the order of its recordings, and each track as a release of its own. */

import type { CompilationKind, Release, Track, TrackRelease } from '../model.ts';
import { visibilityReferenceOf } from './deals.ts';
import {
  formatDuration,
  genreElement,
  rightsLineElement,
  titleElements,
  worldwideDefault,
} from './descriptions.ts';
import { type Children, element, type Element } from './element.ts';
import { Field, itemsOf } from './field.ts';
import type { MessageDraft } from './message-draft.ts';
import { aiElement, displayArtistElements, releaseIdElement } from './parties.ts';

/** A track of the model with the reference of its recording. */
export type ReferredTrack = { readonly track: Field<Track>; readonly resource: string };

export const releaseElement = (
  draft: MessageDraft,
  release: Field<Release>,
  refs: {
    readonly reference: string;
    readonly tracks: readonly ReferredTrack[];
    readonly cover: string | undefined;
    readonly hasDeals: boolean;
  },
): Element =>
  element('Release', [
    element('ReleaseReference', refs.reference),
    element('ReleaseType', release.at('type')),
    releaseIdElement('ReleaseId', release.at('ids')),
    titleElements(draft, release.at('title'), release.at('localizedTitles')),
    element('DisplayArtistName', release.at('displayArtistName'), worldwideDefault),
    displayArtistElements(draft, release.at('artists')),
    labelElement(draft.refer(release.at('label'))),
    rightsLineElement('PLine', release.at('pLine')),
    rightsLineElement('CLine', release.at('cLine')),
    element('Duration', release.at('durationMs')?.map(formatDuration)),
    genreElement(draft, release.at('genre')),
    element('ReleaseDate', release.at('releaseDate'), worldwideDefault),
    element('OriginalReleaseDate', release.at('originalReleaseDate'), worldwideDefault),
    refs.hasDeals ? visibilityReferences(release) : [],
    element('ParentalWarningType', release.at('parentalWarning')),
    compilationElement(release.at('compilation')),
    resourceGroup(refs.tracks, refs.cover),
    aiElement(draft, 'ContainsAI', release.at('aiUse')),
  ]);

const labelElement = (reference: string): Element =>
  element('ReleaseLabelReference', reference, worldwideDefault);

const visibilityReferences = (release: Field<Release>): Children =>
  itemsOf(release.at('visibility')).map((_, i) =>
    element('ReleaseVisibilityReference', visibilityReferenceOf(i)),
  );

const compilationElement = (kind: Field<CompilationKind> | undefined): Element | undefined =>
  kind &&
  element(
    `Is${kind.value}Compilation`,
    kind.map(() => true),
  );

/** Discs are groups of the release's group. A release of one disc needs no groups inside. */
function resourceGroup(tracks: readonly ReferredTrack[], cover: string | undefined): Element {
  const discs = groupByDisc(tracks);
  const [first] = discs;
  const isOneDisc = discs.length === 1 && first?.disc.value === 1;
  return element('ResourceGroup', [
    isOneDisc ? discContent(first) : discs.map(discElement),
    element('LinkedReleaseResourceReference', cover, { LinkDescription: 'CoverArt' }),
  ]);
}

type Disc = { readonly disc: Field<number>; readonly tracks: readonly ReferredTrack[] };

const groupByDisc = (tracks: readonly ReferredTrack[]): readonly Disc[] =>
  [...Map.groupBy(tracks, ({ track }) => track.value.disc).values()].flatMap((group) => {
    const [first, ...others] = group.map(({ track }) => track.at('disc'));
    return first === undefined ? [] : [{ disc: Field.merge([first, ...others]), tracks: group }];
  });

const discElement = (disc: Disc): Element =>
  element('ResourceGroup', discContent(disc), { ResourceGroupType: 'Component' });

const discContent = ({ disc, tracks }: Disc): Children => [
  element('SequenceNumber', disc),
  tracks.map(({ track, resource }) =>
    element('ResourceGroupContentItem', [
      element('SequenceNumber', track.at('number')),
      element('ReleaseResourceReference', resource),
    ]),
  ),
];

export const trackReleaseElement = (
  draft: MessageDraft,
  trackRelease: Field<TrackRelease>,
  refs: { readonly reference: string; readonly resource: string; readonly label: string },
): Element =>
  element('TrackRelease', [
    element('ReleaseReference', refs.reference),
    releaseIdElement('ReleaseId', trackRelease.at('ids')),
    element('ReleaseResourceReference', refs.resource),
    labelElement(refs.label),
    genreElement(draft, trackRelease.at('genre')),
  ]);
