/** What the rules read: a release with its tracks, the facts of its files, and the stores. */

import type { ArtworkFacts, AudioFacts, AudioFormat } from '../../../assets/face.ts';
import type { CalendarDate } from '../../../kernel/calendar-date.ts';
import type { TerritoryCode } from '../../../kernel/territory.ts';
import type { UseType } from '../../../kernel/use-type.ts';
import type { HeldCode } from '../../../network/face.ts';
import type { RegisteredArtist } from '../artist.ts';
import type { CreditedArtist } from '../credited-artists.ts';
import type { Release, ReleaseEdit } from '../release.ts';
import type { Track, TrackEdit, TrackId } from '../track.ts';

export type PreflightTrack = Track & {
  /** Null until the audio is ready. */
  readonly audio: { readonly sha256: string; readonly facts: AudioFacts } | null;
};

/** A track of another release of the organization, with the ISRC or the audio of a track of this release. */
export type RelatedTrack = Pick<PreflightTrack, 'id' | 'releaseId' | 'isrc' | 'audio'>;

/** An artist that a release names, or one that could be the same. */
export type SimilarArtist = Pick<RegisteredArtist, 'id' | 'name' | 'isni' | 'storeProfiles'>;

export const rulePacks = ['a', 'b', 'base'] as const;
export type RulePack = (typeof rulePacks)[number];

export type PreflightStore = {
  readonly storeId: string;
  readonly territoryCodes: readonly TerritoryCode[];
  readonly audioFormats: readonly AudioFormat[];
  readonly useTypes: readonly UseType[];
  readonly preOrder: boolean;
  readonly leadTimeBusinessDays: number;
  readonly rulePack: RulePack;
};

export type PreflightInput = {
  readonly release: Release;
  /** Null until the artwork is ready. */
  readonly artwork: ArtworkFacts | null;
  /** By disc and position. */
  readonly tracks: readonly PreflightTrack[];
  readonly relatedTracks: readonly RelatedTrack[];
  /** The artists that entries of the release and its tracks name. */
  readonly artists: readonly CreditedArtist[];
  /** Those artists, and others of the organization with the same name, ISNI or page at a store. */
  readonly similarArtists: readonly SimilarArtist[];
  readonly stores: readonly PreflightStore[];
  readonly heldElsewhere: readonly HeldCode[];
  /** `['WORLD']` for all. */
  readonly licensedTerritories: readonly TerritoryCode[];
  readonly today: CalendarDate;
};

/** The edits of the release and its tracks that remove a finding. */
export type Fix = {
  readonly release?: ReleaseEdit;
  readonly tracks?: Readonly<Record<TrackId, TrackEdit>>;
};
