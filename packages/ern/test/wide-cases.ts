/** Documents that are wide instead of deep: as many elements or attributes as the limits allow. */

import { buildNewRelease, defaultXmlLimits } from '../src/index.ts';
import { exampleAlbum } from './example-album.ts';

/** For the elements around the wide part. */
const reserved = 500;

const repeated = (tokens: number, make: (index: number) => string): string =>
  Array.from({ length: Math.floor((defaultXmlLimits.tokensMax - reserved) / tokens) }, (_, index) =>
    make(index),
  ).join('');

const { xml: album } = buildNewRelease(exampleAlbum);

/** Puts them last into an element of a valid message. */
const within = (parent: string, content: string): string =>
  album.replace(`</${parent}>`, `${content}</${parent}>`);

export const wideCases: Readonly<Record<string, () => string>> = {
  'empty elements': () => `<a>${repeated(1, () => '<b/>')}</a>`,
  'elements with names of their own': () => `<a>${repeated(1, (index) => `<b${index}/>`)}</a>`,
  'attributes of one element': () => `<a ${repeated(1, (index) => `b${index}="" `)}/>`,
  'elements with an attribute and a text': () =>
    `<a>${repeated(2, (index) => `<b c="${index}">some text ${index}</b>`)}</a>`,
  'elements that the model has no place for': () =>
    within(
      'ResourceList',
      repeated(1, (index) => `<Unknown${index}/>`),
    ),
  'empty recordings': () =>
    within(
      'ResourceList',
      repeated(1, () => '<SoundRecording></SoundRecording>'),
    ),
  parties: () =>
    within(
      'PartyList',
      repeated(2, (index) => `<Party><PartyReference>P${index}</PartyReference></Party>`),
    ),
  'empty deals': () =>
    within(
      'DealList',
      repeated(
        3,
        () =>
          '<ReleaseDeal><DealReleaseReference>R0</DealReleaseReference><Deal></Deal></ReleaseDeal>',
      ),
    ),
};
