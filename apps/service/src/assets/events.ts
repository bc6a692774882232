/** The events partners receive about assets (contract §6). */

import { presentAsset } from './domain/asset-resource.ts';
import type { Asset } from './domain/asset.ts';

/** For an asset that became `ready` or `failed`. */
export const assetStatusChanged = (asset: Asset) => ({
  type: asset.status === 'ready' ? 'asset.ready' : 'asset.failed',
  data: presentAsset(asset),
});
