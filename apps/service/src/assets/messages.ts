/** Messages to the engine: which handler of the assets slice runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import { laneKeyOf, entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { Asset, AssetId } from './domain/asset.ts';

export const assetService = 'assets';

/**
 * How many files of an organization are examined at once in the whole installation, four in all; each worker bounds
 * its own. Artwork does not wait for audio, nor where there is no decoder for it.
 */
const assetLanes: Record<Asset['type'], number> = { audio: 3, artwork: 1 };

/** In a lane of its organization: its other files wait in the engine, and nobody waits for another organization's. */
export const processAsset = (
  orgId: OrgId,
  { id, type }: Pick<Asset, 'id' | 'type'>,
): EngineMessage => ({
  service: assetService,
  key: laneKeyOf(`${type}-${orgId}`, id, assetLanes[type]),
  handler: 'process',
  entityRef: entityRefOf(orgId, id),
});

/** Light, so it does not queue behind the files. */
export const expireAsset = (orgId: OrgId, id: AssetId): EngineMessage => ({
  service: assetService,
  key: id,
  handler: 'expire',
  entityRef: entityRefOf(orgId, id),
});
