/** The recordings and the cover of a release. */

import type { AudioFile, CoverImage, Edition, File, Preview, Track } from '../model.ts';
import {
  formatDuration,
  formatSeconds,
  rightsLineElement,
  titleElements,
  worldwideDefault,
} from './descriptions.ts';
import { type Children, element, type Element } from './element.ts';
import { type Field, itemsOf } from './field.ts';
import { whereLanguageIsKnown } from './language.ts';
import type { MessageDraft } from './message-draft.ts';
import {
  aiElement,
  contributorElements,
  displayArtistElements,
  proprietaryIdElements,
  rightsControllerElements,
} from './parties.ts';

export const soundRecordingElement = (
  draft: MessageDraft,
  track: Field<Track>,
  reference: string,
): Element =>
  element(
    'SoundRecording',
    [
      element('ResourceReference', reference),
      element('Type', 'MusicalWorkSoundRecording'),
      itemsOf(track.at('editions')).map((edition) => editionElement(draft, edition)),
      element('WorkId', track.at('iswc') && [element('ISWC', track.at('iswc'))]),
      titleElements(draft, track.at('title'), track.at('localizedTitles')),
      element('DisplayArtistName', track.at('displayArtistName'), worldwideDefault),
      displayArtistElements(draft, track.at('artists')),
      contributorElements(draft, track.at('contributors')),
      rightsControllerElements(draft, track.at('rightsControllers')),
      element('Duration', track.at('durationMs').map(formatDuration)),
      element('FirstPublicationDate', track.at('firstPublicationDate')),
      sessionElement(track.at('recordingCountry')),
      element('ParentalWarningType', track.at('parentalWarning')),
      aiElement(draft, 'ContainsAI', track.at('aiUse')),
      element('IsCover', track.at('isCover')),
      element('IsInstrumental', track.at('isInstrumental')),
      element(
        'LanguageOfPerformance',
        whereLanguageIsKnown(draft, track.at('languageOfPerformance'), (language) => language),
      ),
    ],
    { ApplyClassicalProfileVariant: track.at('isClassical') },
  );

const editionElement = (draft: MessageDraft, edition: Field<Edition>): Element =>
  element('SoundRecordingEdition', [
    element('Type', edition.at('type')),
    element('ResourceId', [
      element('ISRC', edition.at('isrc')),
      proprietaryIdElements(edition.at('proprietaryIds')),
    ]),
    rightsLineElement('PLine', edition.at('pLine')),
    technicalDetails(draft, edition),
  ]);

function technicalDetails(draft: MessageDraft, edition: Field<Edition>): Element | undefined {
  const audio = edition.at('audio');
  const preview = edition.at('preview');
  if (audio === undefined && preview === undefined) return undefined;
  return element('TechnicalDetails', [
    element('TechnicalResourceDetailsReference', draft.nextTechnicalReference()),
    audio && audioElement(audio),
    preview && previewElement(draft, preview),
  ]);
}

const audioElement = (audio: Field<AudioFile>): Element =>
  element('DeliveryFile', [
    element('Type', 'AudioFile'),
    element('AudioCodecType', audio.at('codec')),
    element('NumberOfChannels', audio.at('channels')),
    element('SamplingRate', audio.at('sampleRateHz'), { UnitOfMeasure: 'Hz' }),
    element('BitsPerSample', audio.at('bitsPerSample')),
    fileElement(audio.at('file')),
    element('IsProvidedInDelivery', audio.at('isProvided')),
  ]);

const previewElement = (draft: MessageDraft, preview: Field<Preview>): Element =>
  element('ClipDetails', [
    element('TechnicalResourceDetailsReference', draft.nextTechnicalReference()),
    element('ClipType', 'Preview'),
    element('Timing', [
      element('StartPoint', preview.at('startMs').map(formatSeconds)),
      element('DurationUsed', preview.at('durationMs')?.map(formatDuration)),
    ]),
    // The store cuts the preview itself.
    element('ExpressionType', 'Instructive'),
  ]);

const fileElement = (file: Field<File> | undefined): Element | undefined =>
  file &&
  element('File', [
    element('URI', file.at('uri')),
    element('HashSum', hashContent(file)),
    element('FileSize', file.at('sizeBytes')),
  ]);

function hashContent(file: Field<File>): Children | undefined {
  const hash = file.at('hash');
  return (
    hash && [element('Algorithm', hash.at('algorithm')), element('HashSumValue', hash.at('value'))]
  );
}

const sessionElement = (country: Field<string> | undefined): Element | undefined =>
  country &&
  element('LocationAndDateOfSession', [element('Venue', [element('TerritoryCode', country)])]);

export const imageElement = (
  draft: MessageDraft,
  cover: Field<CoverImage>,
  reference: string,
): Element =>
  element('Image', [
    element('ResourceReference', reference),
    element('Type', 'FrontCoverImage'),
    element('ResourceId', proprietaryIdElements(cover.at('proprietaryIds'))),
    element('ParentalWarningType', cover.at('parentalWarning')),
    aiElement(draft, 'ContainsAI', cover.at('aiUse')),
    imageDetails(draft, cover),
  ]);

function imageDetails(draft: MessageDraft, cover: Field<CoverImage>): Element | undefined {
  const { codec, widthPx, heightPx, file, isProvided } = cover.value;
  if ([codec, widthPx, heightPx, file, isProvided].every((detail) => detail === undefined)) {
    return undefined;
  }
  return element('TechnicalDetails', [
    element('TechnicalResourceDetailsReference', draft.nextTechnicalReference()),
    element('ImageCodecType', cover.at('codec')),
    element('ImageHeight', cover.at('heightPx'), { UnitOfMeasure: 'Pixel' }),
    element('ImageWidth', cover.at('widthPx'), { UnitOfMeasure: 'Pixel' }),
    fileElement(cover.at('file')),
    element('IsProvidedInDelivery', cover.at('isProvided')),
  ]);
}
