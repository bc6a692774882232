/** The events partners receive about assets (contract §6). */

import { presentAsset } from './domain/asset-resource.ts';
import type { Asset } from './domain/asset.ts';

/** An asset has come to its end, good or bad. */
export const assetStatusChanged = (asset: Asset) => ({
  type: asset.status === 'ready' ? 'asset.ready' : 'asset.failed',
  data: presentAsset(asset),
});
