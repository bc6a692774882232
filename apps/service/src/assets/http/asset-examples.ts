/** The files of the story that examples tell (`kernel/example-story.ts`). */

import type { Static } from 'typebox';
import {
  artworkExampleId,
  exampleIds,
  examplePage,
  exampleTime,
} from '../../kernel/example-story.ts';
import type { OperationExamples } from '../../platform/http/operation.ts';
import type { AssetBody, AssetSummary } from './asset-schemas.ts';

/** Three and a half minutes of audio. */
export const readyAudioExample: Static<typeof AssetSummary> = {
  id: exampleIds.ast,
  type: 'audio',
  status: 'ready',
  file_name: '01-night-drive.wav',
  content_type: 'audio/wav',
  size_bytes: 55_566_044,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  technical: {
    format: 'wav',
    codec: 'pcm_s24le',
    bit_depth: 24,
    sample_rate: 44_100,
    channels: 2,
    duration_ms: 210_000,
    format_tag: 1,
  },
  failure_code: null,
  failure_reason: null,
  created_at: exampleTime(-5, '09:40:00.000'),
  updated_at: exampleTime(-5, '09:40:41.000'),
};

export const failedArtworkExample: Static<typeof AssetSummary> = {
  id: artworkExampleId,
  type: 'artwork',
  status: 'failed',
  file_name: 'night-drive-cover.png',
  content_type: 'image/png',
  size_bytes: 8_214_528,
  sha256: null,
  technical: null,
  failure_code: 'damaged',
  failure_reason: 'The image cannot be decoded to its end. Export it again and upload it whole.',
  created_at: exampleTime(-5, '09:42:00.000'),
  updated_at: exampleTime(-5, '09:42:05.000'),
};

const storageUrl = `https://storage.example/uploads/${exampleIds.org}/${exampleIds.ast}?X-Amz-Expires=3600&X-Amz-Signature=4f1c0c7e`;

/** The file is not uploaded yet. */
const pendingAudioExample: Static<typeof AssetBody> = {
  ...readyAudioExample,
  status: 'pending_upload',
  sha256: null,
  technical: null,
  updated_at: exampleTime(-5, '09:40:00.000'),
  upload: {
    url: storageUrl,
    method: 'PUT',
    headers: { 'Content-Type': 'audio/wav' },
    expires_at: exampleTime(-5, '10:40:00.000'),
    expires_in_seconds: 3_600,
  },
  download: null,
};

export const assetExamples = {
  createAsset: {
    body: {
      type: 'audio',
      file_name: '01-night-drive.wav',
      content_type: 'audio/wav',
      size_bytes: 55_566_044,
    },
    answer: pendingAudioExample,
  },
  listAssets: { query: { type: 'audio', status: 'ready' }, answer: examplePage(readyAudioExample) },
  completeAsset: {
    body: {},
    answer: {
      ...pendingAudioExample,
      status: 'processing',
      updated_at: exampleTime(-5, '09:40:35.000'),
      upload: null,
    },
  },
  getAsset: {
    answer: {
      ...readyAudioExample,
      upload: null,
      download: {
        url: storageUrl,
        expires_at: exampleTime(0, '13:00:00.000'),
        expires_in_seconds: 3_600,
      },
    },
  },
} satisfies Readonly<Record<string, OperationExamples>>;
