/** NewReleaseMessage. Deals are built first, because the release refers to what their list holds; parties last. */

import type { NewReleaseMessage } from '../model.ts';
import { type BuiltMessage, buildErnMessage } from './built-message.ts';
import { dealListElement, type Offer } from './deals.ts';
import type { ErnVersion } from './dialects.ts';
import { element, type Element } from './element.ts';
import { type Field, itemsOf } from './field.ts';
import { headerElement } from './header.ts';
import type { MessageDraft } from './message-draft.ts';
import { partyListElement } from './parties.ts';
import { type ReferredTrack, releaseElement, trackReleaseElement } from './releases.ts';
import { imageElement, soundRecordingElement } from './resources.ts';

const mainReleaseReference = 'R0';

/** The message's text, and what of the model it carries. Throws `UnsendableValue` for values that XML cannot carry. */
export const buildNewRelease = (message: NewReleaseMessage, version?: ErnVersion): BuiltMessage =>
  buildErnMessage(message, version, {
    name: 'NewReleaseMessage',
    attributesOf: (field) => ({
      ReleaseProfileVersionId: field.at('profile'),
      ReleaseProfileVariantVersionId: field.at('profileVariant'),
    }),
    contentOf: (draft, field) => [headerElement(field.at('header')), bodyElements(draft, field)],
  });

function bodyElements(
  draft: MessageDraft,
  message: Field<NewReleaseMessage>,
): readonly (Element | undefined)[] {
  const release = message.at('release');
  const tracks = itemsOf(message.at('tracks')).map((track, i) => ({
    track,
    resource: `A${i + 1}`,
  }));
  const cover = release.at('cover');
  const coverReference = cover && `A${tracks.length + 1}`;
  const dealList = dealListElement(draft, offersOf(message, tracks), release.at('visibility'));
  const resourceList = element('ResourceList', [
    tracks.map(({ track, resource }) => soundRecordingElement(draft, track, resource)),
    cover && imageElement(draft, cover, coverReference ?? ''),
  ]);
  const releaseList = element('ReleaseList', [
    releaseElement(draft, release, {
      reference: mainReleaseReference,
      tracks,
      cover: coverReference,
      hasDeals: dealList !== undefined,
    }),
    trackReleaseElements(draft, tracks, draft.refer(release.at('label'))),
  ]);
  return [partyListElement(draft), resourceList, releaseList, dealList];
}

/** R1 is the first track, whether or not the tracks before it have a release of their own. */
const trackReleaseReferenceOf = (index: number): string => `R${index + 1}`;

const trackReleaseElements = (
  draft: MessageDraft,
  tracks: readonly ReferredTrack[],
  label: string,
): readonly (Element | undefined)[] =>
  tracks.map(({ track, resource }, i) => {
    const trackRelease = track.at('trackRelease');
    const reference = trackReleaseReferenceOf(i);
    return trackRelease && trackReleaseElement(draft, trackRelease, { reference, resource, label });
  });

const offersOf = (
  message: Field<NewReleaseMessage>,
  tracks: readonly ReferredTrack[],
): readonly Offer[] => [
  {
    reference: mainReleaseReference,
    deals: message.at('release').at('deals'),
    instantTracks: tracks.flatMap(({ track, resource }) =>
      track.value.isInstantGratification === true
        ? (track.at('isInstantGratification')?.map(() => resource) ?? [])
        : [],
    ),
  },
  ...tracks.flatMap(({ track }, i): Offer[] => {
    const deals = track.at('trackRelease')?.at('deals');
    return deals === undefined
      ? []
      : [{ reference: trackReleaseReferenceOf(i), deals, instantTracks: [] }];
  }),
];
