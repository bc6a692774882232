/** What the rules look at: a release whole, with what its files were measured to be, and the stores. */

import type { ArtworkFacts, AudioFacts, AudioFormat } from '../../../assets/face.ts';
import type { CalendarDate } from '../../../kernel/calendar-date.ts';
import type { TerritoryCode } from '../../../kernel/territory.ts';
import type { Release, ReleaseEdit } from '../release.ts';
import type { Track, TrackEdit, TrackId } from '../track.ts';

export type PreflightTrack = Track & {
  /** Null as long as there is no audio that is ready. */
  readonly audio: { readonly sha256: string; readonly facts: AudioFacts } | null;
};

export type RulePack = 'a' | 'b' | 'base';

export type PreflightStore = {
  readonly storeId: string;
  readonly territoryCodes: readonly TerritoryCode[];
  readonly audioFormats: readonly AudioFormat[];
  readonly leadTimeBusinessDays: number;
  readonly rulePack: RulePack;
};

export type PreflightInput = {
  readonly release: Release;
  /** Null as long as there is no artwork that is ready. */
  readonly artwork: ArtworkFacts | null;
  /** By disc and position. */
  readonly tracks: readonly PreflightTrack[];
  readonly stores: readonly PreflightStore[];
  /** `['WORLD']` for all of them. */
  readonly licensedTerritories: readonly TerritoryCode[];
  readonly today: CalendarDate;
};

/** A machine's mending: what to change, in the release and in tracks of it. */
export type Fix = {
  readonly release?: ReleaseEdit;
  readonly tracks?: Readonly<Record<TrackId, TrackEdit>>;
};
