/** Messages to the engine: which handler of the assets slice runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import { laneKeyOf, entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { Asset, AssetId } from './domain/asset.ts';

export const assetService = 'assets';

/**
 * How many files of an organization are examined at once by all workers together: four. Each worker also limits its
 * own. Artwork has its own lane, so it does not wait for audio.
 */
const assetLanes: Record<Asset['type'], number> = { audio: 3, artwork: 1 };

/** In a lane of the organization, so that no file waits for those of another organization. */
export const processAsset = (
  orgId: OrgId,
  { id, type }: Pick<Asset, 'id' | 'type'>,
): EngineMessage => ({
  service: assetService,
  key: laneKeyOf(`${type}-${orgId}`, id, assetLanes[type]),
  handler: 'process',
  entityRef: entityRefOf(orgId, id),
});

/** Not in a lane, so that it does not wait for files being examined. */
export const expireAsset = (orgId: OrgId, id: AssetId): EngineMessage => ({
  service: assetService,
  key: id,
  handler: 'expire',
  entityRef: entityRefOf(orgId, id),
});
