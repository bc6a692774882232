import { wireNames } from './release-resource.ts';
import type { ContentField } from './release.ts';
import type { TrackField } from './track.ts';

/** What partners call each field of a release or track. */
export const fieldNames: Readonly<Record<ContentField | TrackField, string>> = {
  ...wireNames,
  isrc: 'isrc',
  audioAssetId: 'audio_asset_id',
  territory: 'territory',
  disc: 'disc',
  position: 'position',
};
