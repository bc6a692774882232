/** The asset on the wire (contract §2). */

import { type Static, Type } from 'typebox';
import { described } from '../../platform/http/named-enums.ts';
import {
  closed,
  documentedAs,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  RealTime,
  Text,
  Timestamp,
  patterned,
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
  ...patterned('^[0-9a-f]{64}$', 'a SHA-256 digest: 64 lowercase hexadecimal digits,'),
  description:
    'The SHA-256 digest of the file: 64 lowercase hexadecimal digits. If you send it, the uploaded file must have this digest.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});
const ContentType = OneOf(
  assetTypes.flatMap((type) => contentTypesOf(type)),
  {
    title: 'AssetContentType',
    description: `The media type of the file: audio as WAVE, FLAC or ALAC, artwork as JPEG or PNG. ${mayGrow}`,
    examples: ['audio/wav'],
  },
);

export const CreateAssetBody = Type.Object(
  {
    type: OneOf(assetTypes, {
      description: 'What the file is: the audio of a track, or the artwork of a release.',
    }),
    file_name: Text(fileNameMax, {
      description: 'The name of the file, at most 255 characters.',
      examples: ['01-night-drive.wav'],
    }),
    content_type: Type.String({ maxLength: 100, ...documentedAs(ContentType) }),
    size_bytes: Type.Integer({
      minimum: 1,
      maximum: sizeBytesMax.audio,
      description:
        'The exact size of the file in bytes: at most 2 GiB for audio, 50 MiB for artwork. The decoded size of audio is limited too; see `POST /v1/assets/{asset_id}/complete`.',
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
            part_number: Type.Integer({
              minimum: 1,
              maximum: partsMax,
              description: 'The number of the part, from 1.',
            }),
            etag: Text(200, {
              description:
                'The `ETag` header of the answer to the PUT of this part, with or without its quotes.',
            }),
          },
          { ...closed, title: 'UploadedPart' },
        ),
        {
          maxItems: partsMax,
          description:
            'The uploaded parts: every part once, in the order of `part_number`. Required if the file was uploaded in parts.',
        },
      ),
    ),
  },
  { ...closed, title: 'CompleteAsset' },
);

export type CompleteAssetBody = Static<typeof CompleteAssetBody>;

const AudioTechnical = Type.Object(
  {
    format: OneOf(['wav', 'flac', 'alac'], { description: 'The format of the file.' }),
    codec: Type.String({ description: 'The codec of the audio.', examples: ['pcm_s24le'] }),
    bit_depth: Type.Integer({ description: 'The number of bits per sample.' }),
    sample_rate: Type.Integer({ description: 'The sample rate in hertz.' }),
    channels: Type.Integer({ description: 'The number of channels.' }),
    duration_ms: Type.Integer({ description: 'The duration in milliseconds.' }),
    format_tag: Nullable(
      Type.Integer({
        description: 'The format tag of a WAV file; 1 is PCM. `null`: the file has another format.',
      }),
    ),
  },
  { ...closed, title: 'AudioTechnical' },
);

const ArtworkTechnical = Type.Object(
  {
    format: OneOf(['jpeg', 'png'], { description: 'The format of the file.' }),
    width: Type.Integer({ description: 'The width in pixels.' }),
    height: Type.Integer({ description: 'The height in pixels.' }),
    colour_space: Type.String({ description: 'The color space.', examples: ['rgb'] }),
    bit_depth: Type.Integer({ description: 'The number of bits per channel.' }),
    channels: Type.Integer({ description: 'The number of channels.' }),
  },
  { ...closed, title: 'ArtworkTechnical' },
);

/** The store of files checks the URLs in real time, so `expires_at` may be earlier than `created_at`. */
const expiry = {
  expires_at: RealTime('When the URL stops working. Read the asset to get new URLs.'),
  expires_in_seconds: Type.Integer({
    description: 'How long the URL still works, in seconds, from when you received this answer.',
    examples: [3_600],
  }),
};

const Upload = Type.Union(
  [
    Type.Object(
      {
        url: Type.String({ description: 'The presigned URL to send the file to.' }),
        method: Type.Literal('PUT', { description: 'The HTTP method of the upload.' }),
        headers: Type.Record(Type.String(), Type.String(), {
          description: 'The headers to send with the upload, exactly these.',
        }),
        ...expiry,
      },
      { ...closed, title: 'SingleUpload' },
    ),
    Type.Object(
      {
        parts: Type.Array(
          Type.Object(
            {
              part_number: Type.Integer({ description: 'The number of the part, from 1.' }),
              url: Type.String({ description: 'The presigned URL to send this part to with PUT.' }),
            },
            closed,
          ),
          { description: 'The parts to upload, each with its number and its presigned URL.' },
        ),
        part_size: Type.Integer({ description: 'The size of every part but the last, in bytes.' }),
        ...expiry,
      },
      { ...closed, title: 'UploadInParts' },
    ),
  ],
  {
    description:
      'Where to send the file: one URL, or one for each part of a file above 100 MB. `null`: the asset is not `pending_upload`, or your credential does not have the scope `assets:write`.',
  },
);

const fields = {
  id: IdOf('ast'),
  type: OneOf(assetTypes, {
    description: 'What the file is: the audio of a track, or the artwork of a release.',
  }),
  status: OneOf(assetStatuses, {
    description:
      '`pending_upload`: upload the file and complete the asset. `processing`: the file is being examined. `ready`: you can use it. `failed`: see `failure_reason`.',
  }),
  file_name: Type.String({ description: 'The name of the file as you sent it.' }),
  content_type: ContentType,
  size_bytes: Type.Integer({ description: 'The size of the file in bytes.' }),
  sha256: Nullable(sha256),
  technical: Nullable(
    Type.Union([AudioTechnical, ArtworkTechnical], {
      description: 'What was measured in the file. `null`: it was not examined yet, or it failed.',
    }),
  ),
  failure_code: Nullable(
    OneOf(failureCodes, { description: 'Why the asset failed. `null`: it has not failed.' }),
  ),
  failure_reason: Nullable(
    Type.String({
      description:
        'What is wrong with the file and what to do about it. `null`: the asset has not failed.',
    }),
  ),
  created_at: Timestamp('When the asset was created, on the sandbox clock if it was moved.'),
  updated_at: Timestamp('When the status of the asset last changed.'),
};

/** In lists and events: without URLs. */
export const AssetSummary = Type.Object(fields, { ...closed, title: 'AssetSummary' });

export const AssetBody = Type.Object(
  {
    ...fields,
    upload: Nullable(Upload),
    download: Nullable(
      described(
        Type.Object(
          {
            url: Type.String({ description: 'The presigned URL to read the file from.' }),
            ...expiry,
          },
          { ...closed, title: 'AssetDownload' },
        ),
        'Where to read the file. `null`: the asset is not `ready`.',
      ),
    ),
  },
  { ...closed, title: 'Asset' },
);

export const AssetPage = PageOf('AssetPage', AssetSummary);

export const AssetListQuery = Type.Object(
  {
    type: Type.Optional(OneOf(assetTypes, { description: 'Only assets of this type.' })),
    status: Type.Optional(OneOf(assetStatuses, { description: 'Only assets with this status.' })),
    ...pageQuery,
  },
  closed,
);

export const AssetPath = Type.Object({ asset_id: IdOf('ast') });
