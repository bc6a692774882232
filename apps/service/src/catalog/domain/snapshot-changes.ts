/**
 * The difference between two snapshots of one release, field by field, as far as stores receive it. Names, values and
 * pointers are those of the wire, with `tracks`; files are compared by their bytes.
 */

import type { AssetId } from '../../assets/face.ts';
import type { Contributor } from './contributor.ts';
import {
  byArtistId,
  creditOf,
  presentContributorCredit,
  presentCredit,
} from './credited-artists.ts';
import { presentRelease } from './present-release.ts';
import { presentTrack } from './present-track.ts';
import { type Artist, isDeepEqual } from './release.ts';
import type { TerritoryRights } from './rights.ts';
import type { Snapshot } from './snapshot.ts';
import type { Track } from './track.ts';

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
type JsonObject = { readonly [name: string]: Json };

export type SnapshotChange = {
  /** RFC 6901. The index of a track is the one after the change; that of a removed track, the one before. */
  readonly pointer: string;
  /** Null where there is no value. */
  readonly before: Json;
  readonly after: Json;
};

/** Bounded, because changes are stored and shown to people. */
export const changesMax = 100;
const valueCharactersMax = 1_000;

export const diffSnapshots = (before: Snapshot, after: Snapshot): readonly SnapshotChange[] =>
  diffAll(before, after)
    .slice(0, changesMax)
    .map((change) => ({
      pointer: change.pointer,
      before: truncateValue(change.before),
      after: truncateValue(change.after),
    }));

/** Compares everything, also the changes that `diffSnapshots` leaves out. */
export const hasSameContent = (before: Snapshot, after: Snapshot): boolean =>
  diffAll(before, after).length === 0;

const diffAll = (before: Snapshot, after: Snapshot): readonly SnapshotChange[] => [
  ...contentChanges('', releaseContent(before), releaseContent(after)),
  ...trackChanges(before, after),
];

function trackChanges(before: Snapshot, after: Snapshot): readonly SnapshotChange[] {
  const beforeById = new Map(before.tracks.map((track) => [track.id, track]));
  const remainingIds = new Set(after.tracks.map(({ id }) => id));
  const removed = before.tracks.map((track, index): readonly SnapshotChange[] =>
    remainingIds.has(track.id)
      ? []
      : [{ pointer: `/tracks/${index}`, before: trackContent(track, before), after: null }],
  );
  const remaining = after.tracks.map((track, index): readonly SnapshotChange[] => {
    const pointer = `/tracks/${index}`;
    const previousTrack = beforeById.get(track.id);
    if (previousTrack === undefined)
      return [{ pointer, before: null, after: trackContent(track, after) }];
    // Tracks without their own territories would repeat a change of the release's: only their own exclusions count.
    const isInherited = track.territory === null && previousTrack.territory === null;
    const inherited = isInherited ? { ...after.release, excludedTerritories: null } : undefined;
    return contentChanges(
      pointer,
      trackContent(previousTrack, before, inherited),
      trackContent(track, after, inherited),
    );
  });
  const longer = removed.length > remaining.length ? removed : remaining;
  return longer.flatMap((_, index) => [...(removed[index] ?? []), ...(remaining[index] ?? [])]);
}

type WireName = keyof ReturnType<typeof presentRelease> | keyof ReturnType<typeof presentTrack>;

/** Fields that stores do not receive. A field that is not listed here is sent. */
const unsentFields: ReadonlySet<string> = new Set<WireName>([
  'id',
  'label_id',
  'reference',
  'metadata',
  'release_id',
  'status',
  'duration_ms',
  'track_count',
  'submission',
  'revision',
  'created_at',
  'updated_at',
]);

const releaseContent = ({ release, assets, artists }: Snapshot): JsonObject =>
  sentContent({
    ...presentRelease(release),
    artists: sentArtists(release.artists, artists),
    artwork_asset_id: fileOf(release.artworkAssetId, assets),
  });

const trackContent = (
  track: Track,
  { release, assets, artists }: Snapshot,
  inherited: TerritoryRights = release,
): JsonObject =>
  sentContent({
    ...presentTrack(track, inherited),
    artists: sentArtists(track.artists, artists),
    contributors: sentContributors(track.contributors, artists),
    audio_asset_id: fileOf(track.audioAssetId, assets),
  });

/** Stores receive what identifies the artist, not our id of it. */
function sentArtists(
  entries: readonly Artist[],
  artists: Snapshot['artists'],
): readonly JsonObject[] {
  const byId = byArtistId(artists);
  return entries.map((entry) => presentCredit(creditOf(entry, byId)));
}

function sentContributors(
  entries: readonly Contributor[],
  artists: Snapshot['artists'],
): readonly JsonObject[] {
  const byId = byArtistId(artists);
  return entries.map((entry) => presentContributorCredit(entry, byId));
}

const sentContent = (wire: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(wire)
      .filter(([name]) => !unsentFields.has(name))
      .map(([name, value]) => [name.replace(/_asset_id$/, ''), value]),
  );

function fileOf(id: AssetId | null, assets: Snapshot['assets']): JsonObject | null {
  if (id === null) return null;
  const asset = assets.find((each) => each.id === id);
  if (asset === undefined) return { asset_id: id, sha256: null };
  return { asset_id: id, sha256: asset.sha256, file_name: asset.fileName };
}

/** Territories and use types are sets: the words become keys, which isDeepEqual compares in any order. */
const setComparisonKey = (words: Json): JsonObject | null =>
  // Null means those of the release, or all; an empty list of use types means none.
  words === null
    ? null
    : Object.fromEntries(
        [...entriesOf(words).values()].map((word) => [JSON.stringify(word), true]),
      );

/** The same bytes under another id are the same file; a file that is not ready has only its id. */
const fileComparisonKey = (file: Json): Json =>
  entriesOf(file).get('sha256') ?? entriesOf(file).get('asset_id') ?? null;

/** Fields that are compared and shown as a whole. */
const comparisonKeys: Readonly<Record<string, (value: Json) => Json>> = {
  territories: setComparisonKey,
  territory: setComparisonKey,
  excluded_territories: setComparisonKey,
  use_types: setComparisonKey,
  artwork: fileComparisonKey,
  audio: fileComparisonKey,
};

const contentChanges = (pointer: string, before: JsonObject, after: JsonObject) =>
  Object.entries(after).flatMap(([name, value]): readonly SnapshotChange[] => {
    const change = { pointer: `${pointer}/${name}`, before: before[name] ?? null, after: value };
    const comparisonKey = comparisonKeys[name];
    if (comparisonKey === undefined) return innermostChanges(change);
    return isDeepEqual(comparisonKey(change.before), comparisonKey(change.after)) ? [] : [change];
  });

function innermostChanges(change: SnapshotChange): readonly SnapshotChange[] {
  const { pointer, before, after } = change;
  if (before === after) return [];
  if (typeof before !== 'object' || typeof after !== 'object') return [change];
  const [left, right] = [entriesOf(before), entriesOf(after)];
  // In lists of different lengths, elements cannot be matched by their index.
  if ([before, after].some(Array.isArray) && left.size !== right.size) return [change];
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((name) =>
    innermostChanges({
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      before: left.get(name) ?? null,
      after: right.get(name) ?? null,
    }),
  );
}

/** A map, because partners choose some of the keys, and every object has a `constructor`. */
const entriesOf = (value: Json): ReadonlyMap<string, Json> =>
  new Map(typeof value === 'object' ? Object.entries<Json>(value ?? {}) : []);

/** Cuts between characters, because half a surrogate pair cannot be stored. The length is that of the JSON. */
function truncateValue(value: Json): Json {
  const text = JSON.stringify(value);
  if (text.length <= valueCharactersMax) return value;
  let kept = '';
  let length = '"…"'.length;
  for (const character of typeof value === 'string' ? value : text) {
    length += JSON.stringify(character).length - '""'.length;
    if (length > valueCharactersMax) break;
    kept += character;
  }
  return `${kept}…`;
}
