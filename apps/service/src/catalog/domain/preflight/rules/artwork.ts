/** Rule packs A and B on artwork. Only JPEG and PNG become ready assets. */

import type { ArtworkFacts } from '../../../../assets/face.ts';
import type { RulePack } from '../preflight-input.ts';
import type { FindingValue, Rule } from '../rule.ts';
import { storeIdsWithRulePack } from './stores-with-rule-pack.ts';

const shorterSidePxMin = { a: 3_000, b: 640 };
const bitsPerPixel = 24;
const sourceOf = {
  a: "a major streaming store's FAQ for partners",
  b: "another major streaming store's content guide",
};

type ArtworkRequirement = Pick<Rule, 'source' | 'description' | 'unit'> & {
  readonly rulePacks: readonly RulePack[];
  readonly message: string;
  readonly measure: (facts: ArtworkFacts) => FindingValue;
  readonly limit: FindingValue;
  readonly isMet: (facts: ArtworkFacts) => boolean;
};

const artworkRule = ({
  rulePacks,
  message,
  measure,
  limit,
  isMet,
  ...stated
}: ArtworkRequirement): Rule => ({
  ...stated,
  severity: 'error',
  rulePacks,
  readsFields: ['artworkAssetId'],
  prevents: 'resource_not_meeting_specifications',
  release: (input) => {
    const stores = storeIdsWithRulePack(input, rulePacks);
    if (input.artwork === null || stores.length === 0 || isMet(input.artwork)) return [];
    const measured = measure(input.artwork);
    return [{ field: 'artwork_asset_id', message, measured, limit, stores }];
  },
});

const shorterSide = ({ width, height }: ArtworkFacts): number => Math.min(width, height);

const sizeRule = (rulePack: 'a' | 'b'): Rule =>
  artworkRule({
    rulePacks: [rulePack],
    source: sourceOf[rulePack],
    description: `The shorter side of the artwork must have at least ${shorterSidePxMin[rulePack]} pixels; stores refuse smaller covers.`,
    unit: 'px',
    message: `The artwork is too small. Upload a file whose shorter side has at least ${shorterSidePxMin[rulePack]} pixels.`,
    measure: shorterSide,
    limit: shorterSidePxMin[rulePack],
    isMet: (facts) => shorterSide(facts) >= shorterSidePxMin[rulePack],
  });

export const artworkRules = {
  artwork_size_a: sizeRule('a'),
  artwork_size_b: sizeRule('b'),
  artwork_square: artworkRule({
    description: 'The artwork must be as wide as it is high; stores show covers as squares.',
    rulePacks: ['a'],
    source: sourceOf.a,
    message: 'The artwork is not square. Upload a file that is as wide as it is high.',
    measure: ({ width, height }) => `${width}x${height}`,
    limit: '1:1',
    isMet: ({ width, height }) => width === height,
  }),
  artwork_colour: artworkRule({
    description: 'The artwork must be RGB; screens show other color spaces in wrong colors.',
    rulePacks: ['a', 'b'],
    source: `${sourceOf.a}; ${sourceOf.b}`,
    message: 'The color space of the artwork is not RGB. Upload an RGB file.',
    measure: ({ colourSpace }) => colourSpace,
    limit: 'rgb',
    isMet: ({ colourSpace }) => colourSpace === 'rgb',
  }),
  artwork_bits_per_pixel: artworkRule({
    description:
      'The artwork must have 24 bits per pixel; stores refuse transparency and other depths.',
    unit: 'bits',
    rulePacks: ['b'],
    source: sourceOf.b,
    message: `The artwork does not have ${bitsPerPixel} bits per pixel. Upload a file with three channels of 8 bits and no transparency.`,
    measure: ({ bitDepth, channels }) => bitDepth * channels,
    limit: bitsPerPixel,
    isMet: ({ bitDepth, channels }) => bitDepth * channels === bitsPerPixel,
  }),
};
