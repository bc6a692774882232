/** The recordings and the cover. */

import {
  aiUses,
  type AudioFile,
  type CoverImage,
  type Edition,
  type File,
  parentalWarnings,
  type ParentalWarning,
  type Preview,
} from '../model.ts';
import { readHash, readProprietaryIds, readRightsLine, readTitles } from './descriptions.ts';
import type { ElementReader } from './element-reader.ts';
import {
  type Parties,
  readContributors,
  readDisplayArtists,
  readRightsControllers,
} from './parties.ts';
import {
  nonEmpty,
  oneOf,
  present,
  secondsToMs,
  toBoolean,
  toDurationMs,
  toNumber,
  trueOrAbsent,
} from './values.ts';

const technicalReference = 'TechnicalResourceDetailsReference';

/** All of a track but its place on the release and its own deals. */
export function readRecording(recording: ElementReader, parties: Parties) {
  const editions = recording.children('SoundRecordingEdition');
  const { title, localizedTitles } = readTitles(recording);
  return present({
    // Messages that follow older versions have no editions: the recording itself says what its one edition would.
    editions: (editions.length === 0 ? [recording] : editions).map(readEdition),
    iswc: recording.token('WorkId', 'ISWC'),
    title,
    localizedTitles,
    displayArtistName: readDisplayArtistName(recording),
    artists: readDisplayArtists(recording, parties),
    contributors: readContributors(recording, parties),
    rightsControllers: readRightsControllers(recording, parties),
    durationMs: recording.require(toDurationMs(recording.token('Duration')), 'Duration', 0),
    firstPublicationDate: recording.token('FirstPublicationDate'),
    recordingCountry: recording.token('LocationAndDateOfSession', 'Venue', 'TerritoryCode'),
    parentalWarning: readParentalWarning(recording) ?? 'Unknown',
    aiUse: oneOf(aiUses, recording.token('ContainsAI')),
    isCover: toBoolean(recording.token('IsCover')),
    isInstrumental: toBoolean(recording.token('IsInstrumental')),
    languageOfPerformance: recording.token('LanguageOfPerformance'),
    isClassical: trueOrAbsent(recording.attribute('ApplyClassicalProfileVariant')),
  });
}

export function readDisplayArtistName(owner: ElementReader): string {
  return owner.require(owner.worldwide('DisplayArtistName')?.text(), 'DisplayArtistName', '');
}

export function readParentalWarning(owner: ElementReader): ParentalWarning | undefined {
  return oneOf(parentalWarnings, owner.worldwide('ParentalWarningType')?.token());
}

function readEdition(edition: ElementReader): Edition {
  const id = edition.child('ResourceId');
  const details = edition.child('TechnicalDetails');
  details?.skip(technicalReference);
  return present({
    type: oneOf(['NonImmersiveEdition', 'ImmersiveEdition'] as const, edition.token('Type')),
    isrc: id?.token('ISRC'),
    proprietaryIds: id && nonEmpty(readProprietaryIds(id)),
    pLine: readRightsLine(edition, 'PLine'),
    audio: readAudio(details?.child('DeliveryFile')),
    preview: readPreview(details?.child('ClipDetails')),
  });
}

function readAudio(audio: ElementReader | undefined): AudioFile | undefined {
  audio?.skip('Type');
  return (
    audio &&
    present({
      codec: audio.token('AudioCodecType'),
      channels: toNumber(audio.token('NumberOfChannels')),
      sampleRateHz: readSampleRate(audio),
      bitsPerSample: toNumber(audio.token('BitsPerSample')),
      file: readFile(audio),
      isProvided: toBoolean(audio.token('IsProvidedInDelivery')),
    })
  );
}

function readSampleRate(audio: ElementReader): number | undefined {
  const rate = audio.child('SamplingRate');
  const value = toNumber(rate?.token());
  return value !== undefined && rate?.attribute('UnitOfMeasure') === 'kHz'
    ? Math.round(value * 1000)
    : value;
}

function readPreview(clip: ElementReader | undefined): Preview | undefined {
  const timing = clip?.child('Timing');
  const startMs = secondsToMs(timing?.token('StartPoint'));
  clip?.skip('ClipType', 'ExpressionType', technicalReference);
  return startMs === undefined
    ? undefined
    : present({ startMs, durationMs: toDurationMs(timing?.token('DurationUsed')) });
}

function readFile(owner: ElementReader): File | undefined {
  const file = owner.child('File');
  const uri = file?.text('URI');
  return file === undefined || uri === undefined
    ? undefined
    : present({ uri, hash: readHash(file), sizeBytes: toNumber(file.token('FileSize')) });
}

export function readCover(image: ElementReader): CoverImage {
  const id = image.child('ResourceId');
  const details = image.child('TechnicalDetails');
  image.skip('Type', 'ResourceReference');
  details?.skip(technicalReference);
  return present({
    proprietaryIds: id ? readProprietaryIds(id) : [],
    parentalWarning: readParentalWarning(image),
    aiUse: oneOf(aiUses, image.token('ContainsAI')),
    codec: details?.token('ImageCodecType'),
    widthPx: toNumber(details?.token('ImageWidth')),
    heightPx: toNumber(details?.token('ImageHeight')),
    file: details && readFile(details),
    isProvided: toBoolean(details?.token('IsProvidedInDelivery')),
  });
}
