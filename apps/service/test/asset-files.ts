/**
 * Audio and artwork files for tests, proofs and benches of assets, and functions that upload them as a partner does:
 * over HTTP, to the presigned URLs of the asset.
 */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { until } from '../../../scripts/servers/server.ts';
import type { OrgClient, Reply } from './test-service.ts';

export type UploadFile = {
  readonly type: 'audio' | 'artwork';
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
};

/** A tone, 16 bit stereo at 44.1 kHz; `pitch` makes one file differ from another. */
export function toneWav(durationMs = 1_000, pitch = 440): UploadFile {
  const sampleRate = 44_100;
  const frames = Math.round((sampleRate * durationMs) / 1_000);
  const bytes = Buffer.alloc(44 + frames * 4);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 4, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(frames * 4, 40);
  for (let i = 0; i < frames; i++) {
    const sample = Math.round(12_000 * Math.sin((2 * Math.PI * pitch * i) / sampleRate));
    bytes.writeInt16LE(sample, 44 + i * 4);
    bytes.writeInt16LE(sample, 46 + i * 4);
  }
  return { type: 'audio', fileName: 'song.wav', contentType: 'audio/wav', bytes };
}

export async function coverJpeg(size = 3_000): Promise<UploadFile> {
  const background = { r: 20, g: 40, b: 80 };
  const image = sharp({ create: { width: size, height: size, channels: 3, background } });
  const bytes = await image.jpeg({ quality: 60 }).toBuffer();
  return { type: 'artwork', fileName: 'cover.jpg', contentType: 'image/jpeg', bytes };
}

export const createAssetBody = ({ type, fileName, contentType, bytes }: UploadFile) => ({
  type,
  file_name: fileName,
  content_type: contentType,
  size_bytes: bytes.length,
});

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** PUTs a file to the asset's presigned upload URL, with the headers that the asset lists. */
export async function putFile(asset: Reply['json'], bytes: Buffer): Promise<number> {
  const { url, method, headers } = asset.upload;
  const response = await fetch(url, { method, headers, body: new Uint8Array(bytes) });
  await response.arrayBuffer();
  return response.status;
}

/** Creates an asset, uploads its file and completes it. The returned asset is `processing`. */
export async function uploadAsset({ call }: OrgClient, file: UploadFile): Promise<string> {
  const created = await call('POST', '/v1/assets', createAssetBody(file));
  assert.equal(created.status, 201, created.text);
  assert.equal(await putFile(created.json, file.bytes), 200);
  const completed = await call('POST', `/v1/assets/${created.json.id}/complete`);
  assert.deepEqual([completed.status, completed.json.status], [200, 'processing']);
  return created.json.id;
}

const processedWithinMs = 60_000;

/** Waits until the asset is ready or failed, and returns it. */
export async function waitUntilProcessed({ call }: OrgClient, id: string): Promise<Reply['json']> {
  let asset: Reply['json'];
  await until(
    `${id} is settled`,
    async () => {
      asset = (await call('GET', `/v1/assets/${id}`)).json;
      return asset.status === 'ready' || asset.status === 'failed';
    },
    processedWithinMs,
  );
  return asset;
}
