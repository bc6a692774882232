/** The asset on the wire (contract §2). */

import { type Static, Type } from 'typebox';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import {
  assetStatuses,
  assetTypes,
  contentTypesOf,
  failureCodes,
  sizeBytesMax,
} from '../domain/asset.ts';

const fileNameMax = 255;
const partsMax = 100;

const sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'Lower-case hexadecimal. Verified, when given; measured in any case.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});
const contentTypes = assetTypes.flatMap((type) => contentTypesOf(type));

export const CreateAssetBody = Type.Object(
  {
    type: OneOf(assetTypes),
    file_name: Text(fileNameMax, { examples: ['01-night-drive.wav'] }),
    content_type: Type.String({
      maxLength: 100,
      description: `One of ${contentTypes.join(', ')}.`,
      examples: ['audio/wav'],
    }),
    size_bytes: Type.Integer({
      minimum: 1,
      maximum: sizeBytesMax.audio,
      description:
        'At most 2 GiB for audio, 50 MiB for artwork. Audio is also bounded by what it decodes to; see POST /v1/assets/{asset_id}/complete.',
      examples: [31_752_044],
    }),
    sha256: Type.Optional(sha256),
  },
  {
    ...closed,
    title: 'CreateAsset',
    'x-read-only':
      'id status technical failure_code failure_reason upload download created_at updated_at'.split(
        ' ',
      ),
  },
);

export const CompleteAssetBody = Type.Object(
  {
    parts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            part_number: Type.Integer({ minimum: 1, maximum: partsMax }),
            etag: Text(200, {
              description: 'The ETag header of the answer to its PUT, with or without its quotes.',
            }),
          },
          { ...closed, title: 'UploadedPart' },
        ),
        {
          maxItems: partsMax,
          description:
            'Required where the file was uploaded in parts: every part once, in the order of part_number.',
        },
      ),
    ),
  },
  { ...closed, title: 'CompleteAsset' },
);

export type CompleteAssetBody = Static<typeof CompleteAssetBody>;

const AudioTechnical = Type.Object(
  {
    format: OneOf(['wav', 'flac', 'alac']),
    codec: Type.String({ examples: ['pcm_s24le'] }),
    bit_depth: Type.Integer(),
    sample_rate: Type.Integer({ description: 'Hertz.' }),
    channels: Type.Integer(),
    duration_ms: Type.Integer(),
    format_tag: Nullable(Type.Integer({ description: 'Of a WAVE file: 1 is PCM.' })),
  },
  { ...closed, title: 'AudioTechnical' },
);

const ArtworkTechnical = Type.Object(
  {
    format: OneOf(['jpeg', 'png']),
    width: Type.Integer(),
    height: Type.Integer(),
    colour_space: Type.String({ examples: ['rgb'] }),
    bit_depth: Type.Integer({ description: 'Bits per channel.' }),
    channels: Type.Integer(),
  },
  { ...closed, title: 'ArtworkTechnical' },
);

const expiresAt = Timestamp('Until then; GET the asset for new ones.');

const Upload = Type.Union([
  Type.Object(
    {
      url: Type.String(),
      method: Type.Literal('PUT'),
      headers: Type.Record(Type.String(), Type.String(), { description: 'Send exactly these.' }),
      expires_at: expiresAt,
    },
    { ...closed, title: 'SingleUpload' },
  ),
  Type.Object(
    {
      parts: Type.Array(Type.Object({ part_number: Type.Integer(), url: Type.String() }, closed)),
      part_size: Type.Integer({ description: 'Bytes of every part but the last.' }),
      expires_at: expiresAt,
    },
    { ...closed, title: 'UploadInParts' },
  ),
]);

const fields = {
  id: IdOf('ast'),
  type: OneOf(assetTypes),
  status: OneOf(assetStatuses),
  file_name: Type.String(),
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  sha256: Nullable(sha256),
  technical: Nullable(Type.Union([AudioTechnical, ArtworkTechnical])),
  failure_code: Nullable(OneOf(failureCodes)),
  failure_reason: Nullable(Type.String({ description: 'What is wrong, and what to do.' })),
  created_at: Timestamp('When the asset was created.'),
  updated_at: Timestamp('When its status last changed.'),
};

/** In lists and events: without URLs. */
export const AssetSummary = Type.Object(fields, { ...closed, title: 'AssetSummary' });

export const AssetBody = Type.Object(
  {
    ...fields,
    upload: Nullable(Upload),
    download: Nullable(
      Type.Object({ url: Type.String(), expires_at: expiresAt }, { ...closed, title: 'Download' }),
    ),
  },
  { ...closed, title: 'Asset' },
);

export const AssetPage = PageOf('AssetPage', AssetSummary);

export const AssetListQuery = Type.Object(
  {
    type: Type.Optional(OneOf(assetTypes)),
    status: Type.Optional(OneOf(assetStatuses)),
    ...pageQuery,
  },
  closed,
);

export const AssetPath = Type.Object({ asset_id: IdOf('ast') });
