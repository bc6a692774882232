/** What other slices may use of assets. */
export { completeAsset } from './commands/complete-asset.ts';
export { createAsset } from './commands/create-asset.ts';
export { uploadKey } from './connectors/examine-file.ts';
export {
  type ArtworkFacts,
  type Asset,
  type AssetId,
  type AssetStatus,
  type AudioFacts,
  type AudioFormat,
  durationOf,
  refuseArtwork,
  refuseAudio,
} from './domain/asset.ts';
export { presentAsset } from './domain/present-asset.ts';
export { expireAsset, processAsset } from './messages.ts';
export {
  selectAudio,
  selectDurationMs,
  selectSameAudio,
  findAsset,
  findAssets,
  findAssetsByName,
} from './store/assets.ts';
