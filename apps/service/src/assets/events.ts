/** The events partners receive about assets (contract §6). */

import type { Asset } from './domain/asset.ts';
import { presentAsset } from './domain/present-asset.ts';

/** For an asset that became `ready` or `failed`. */
export const assetStatusChanged = (asset: Asset) => ({
  type: asset.status === 'ready' ? 'asset.ready' : 'asset.failed',
  data: presentAsset(asset),
});
