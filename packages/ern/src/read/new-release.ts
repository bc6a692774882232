import { aiUses, type Release, type Track, type TrackRelease } from '../model.ts';
import { type Deals, dealsOf, readDeals, readVisibility } from './deals.ts';
import { readGenre, readReleaseIds, readRightsLine, readTitles } from './descriptions.ts';
import type { ElementReader } from './element-reader.ts';
import { type Parties, readDisplayArtists, readParties } from './parties.ts';
import {
  readCover,
  readDisplayArtistName,
  readParentalWarning,
  readRecording,
} from './resources.ts';
import { readTrackOrder } from './track-order.ts';
import { nonEmpty, oneOf, present, toBoolean, toDurationMs } from './values.ts';
import { childOf, childrenOf, tokenOf, type XmlElement } from './xml-tree.ts';

export function readNewRelease(message: ElementReader):
  | {
      readonly release: Release;
      readonly tracks: readonly Track[];
    }
  | undefined {
  const releaseList = message.child('ReleaseList');
  const release = releaseList?.child('Release');
  if (releaseList === undefined || release === undefined) {
    message.log.missing(message.element, 'ReleaseList/Release is missing.');
    return undefined;
  }
  const parties = readParties(message);
  const dealList = message.child('DealList');
  const deals = readDeals(dealList);
  const resources = message.child('ResourceList');
  return {
    release: {
      ...readRelease(release, parties, deals),
      ...present({
        cover: resources && readFrontCover(resources, release),
        visibility: nonEmpty(readVisibility(release, dealList)),
      }),
    },
    tracks: resources ? readTracks({ release, releaseList, resources, parties, deals }) : [],
  };
}

function readRelease(release: ElementReader, parties: Parties, deals: Deals): Release {
  const { title, localizedTitles } = readTitles(release);
  return present({
    ids: readReleaseIds(release.child('ReleaseId')),
    type: release.require(release.token('ReleaseType'), 'ReleaseType', ''),
    title,
    localizedTitles,
    displayArtistName: readDisplayArtistName(release),
    artists: readDisplayArtists(release, parties),
    label: readLabel(release, parties),
    pLine: readRightsLine(release, 'PLine'),
    cLine: readRightsLine(release, 'CLine'),
    durationMs: toDurationMs(release.token('Duration')),
    genre: readGenre(release),
    releaseDate: release.worldwide('ReleaseDate')?.token(),
    originalReleaseDate: release.worldwide('OriginalReleaseDate')?.token(),
    parentalWarning: readParentalWarning(release) ?? 'Unknown',
    compilation: readCompilation(release),
    aiUse: oneOf(aiUses, release.token('ContainsAI')),
    deals: dealsOf(release, deals),
  });
}

function readLabel(release: ElementReader, parties: Parties) {
  const label = release.worldwide('ReleaseLabelReference')?.token();
  return release.require(
    label === undefined ? undefined : parties.get(label),
    'The label (ReleaseLabelReference)',
    { name: '' },
  );
}

function readCompilation(release: ElementReader): Release['compilation'] {
  if (toBoolean(release.token('IsMultiArtistCompilation')) === true) {
    return 'MultiArtist';
  }
  const isOfOne = toBoolean(release.token('IsSingleArtistCompilation')) === true;
  return isOfOne ? 'SingleArtist' : undefined;
}

/** The image that the release's group links to, else the front cover of the list. */
function readFrontCover(resources: ElementReader, release: ElementReader) {
  const group = release.child('ResourceGroup');
  const linked = new Set(group?.tokens('LinkedReleaseResourceReference'));
  const isLinked = (image: XmlElement) =>
    linked.has(tokenOf(childOf(image, 'ResourceReference')) ?? '');
  const images = childrenOf(resources.element, 'Image');
  const chosen = images.find((image) => isFront(image) && isLinked(image)) ?? images.find(isFront);
  const [cover] = resources.children('Image', (image) => image === chosen);
  return cover && readCover(cover);
}

const isFront = (image: XmlElement): boolean =>
  tokenOf(childOf(image, 'Type')) === 'FrontCoverImage';

type TrackSources = {
  readonly release: ElementReader;
  readonly releaseList: ElementReader;
  readonly resources: ElementReader;
  readonly parties: Parties;
  readonly deals: Deals;
};

/** Videos, texts and other resources have no place in the model: they stay unread. */
function readTracks(sources: TrackSources): readonly Track[] {
  const { release, releaseList, resources, parties } = sources;
  const recordings = new Map(
    resources.children('SoundRecording').map((recording) => {
      recording.skip('Type');
      return [recording.token('ResourceReference'), recording];
    }),
  );
  const trackReleases = new Map(
    releaseList
      .children('TrackRelease')
      .map((trackRelease) => [trackRelease.token('ReleaseResourceReference'), trackRelease]),
  );
  // A recording that is listed a thousand times is read once.
  const read = new Map<string, Omit<Track, 'disc' | 'number'>>();
  return readTrackOrder(release).flatMap(({ disc, number, resource }) => {
    const recording = recordings.get(resource);
    if (recording === undefined) {
      return [];
    }
    const trackRelease = trackReleases.get(resource);
    const content = read.get(resource) ?? {
      ...readRecording(recording, parties),
      ...present({
        isInstantGratification: sources.deals.instantTracks.has(resource)
          ? (true as const)
          : undefined,
        trackRelease: trackRelease && readTrackRelease(trackRelease, sources.deals),
      }),
    };
    read.set(resource, content);
    return [{ disc, number, ...content }];
  });
}

function readTrackRelease(trackRelease: ElementReader, deals: Deals): TrackRelease {
  // The model knows one label, that of the release.
  trackRelease.skip('ReleaseLabelReference');
  return {
    ids: readReleaseIds(trackRelease.child('ReleaseId')),
    genre: readGenre(trackRelease),
    deals: dealsOf(trackRelease, deals),
  };
}
