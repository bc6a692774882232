/** The asset as partners see it, in answers and in events (contract §2, §6), without URLs. */

import type { Asset, Facts } from './asset.ts';

const presentFacts = (facts: Facts) =>
  'durationMs' in facts
    ? {
        format: facts.format,
        codec: facts.codec,
        bit_depth: facts.bitDepth,
        sample_rate: facts.sampleRateHz,
        channels: facts.channels,
        duration_ms: facts.durationMs,
        format_tag: facts.formatTag,
      }
    : {
        format: facts.format,
        width: facts.width,
        height: facts.height,
        colour_space: facts.colourSpace,
        bit_depth: facts.bitDepth,
        channels: facts.channels,
      };

export const presentAsset = (asset: Asset) => ({
  id: asset.id,
  type: asset.type,
  status: asset.status,
  file_name: asset.fileName,
  content_type: asset.contentType,
  size_bytes: asset.sizeBytes,
  sha256: asset.sha256,
  technical: asset.facts === null ? null : presentFacts(asset.facts),
  failure_code: asset.failure?.code ?? null,
  failure_reason: asset.failure?.reason ?? null,
  created_at: asset.createdAt.toISOString(),
  updated_at: asset.updatedAt.toISOString(),
});
