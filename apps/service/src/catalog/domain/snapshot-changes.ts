/**
 * What stores would get differently: the difference of two snapshots of one release, field by field.
 * Names, values and pointers are those of the wire, with `tracks`; a file is the bytes it holds.
 */

import type { AssetId } from '../../assets/face.ts';
import { presentRelease } from './release-resource.ts';
import { isDeepEqual } from './release.ts';
import type { Snapshot } from './snapshot.ts';
import { presentTrack } from './track-resource.ts';
import type { Track } from './track.ts';

type Json = string | number | boolean | null | readonly Json[] | JsonObject;
type JsonObject = { readonly [name: string]: Json };

export type SnapshotChange = {
  /** RFC 6901. A track is counted where it stands now; one that was removed, where it stood. */
  readonly pointer: string;
  /** Null for nothing, on either side. */
  readonly before: Json;
  readonly after: Json;
};

/** Changes are stored and shown, and nobody reads more of them than this. */
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

/** Exact, whatever `changesBetween` leaves out. */
export const hasSameContent = (before: Snapshot, after: Snapshot): boolean =>
  diffAll(before, after).length === 0;

const diffAll = (before: Snapshot, after: Snapshot): readonly SnapshotChange[] => [
  ...contentChanges('', releaseContent(before), releaseContent(after)),
  ...trackChanges(before, after),
];

function trackChanges(before: Snapshot, after: Snapshot): readonly SnapshotChange[] {
  const earlier = new Map(before.tracks.map((track) => [track.id, track]));
  const staying = new Set(after.tracks.map(({ id }) => id));
  const removed = before.tracks.map((track, index): readonly SnapshotChange[] =>
    staying.has(track.id)
      ? []
      : [{ pointer: `/tracks/${index}`, before: trackContent(track, before), after: null }],
  );
  const remaining = after.tracks.map((track, index): readonly SnapshotChange[] => {
    const pointer = `/tracks/${index}`;
    const was = earlier.get(track.id);
    if (was === undefined) return [{ pointer, before: null, after: trackContent(track, after) }];
    // Tracks that follow the release's territories would each repeat its change.
    const { territories } = (track.territory === null ? after : before).release;
    const previous = trackContent(was, before, territories);
    return contentChanges(pointer, previous, trackContent(track, after));
  });
  const places = removed.length > remaining.length ? removed : remaining;
  return places.flatMap((_, index) => [...(removed[index] ?? []), ...(remaining[index] ?? [])]);
}

type WireName = keyof ReturnType<typeof presentRelease> | keyof ReturnType<typeof presentTrack>;

/** The partner's own, about the record, or measured from the files. A field not named here is sent. */
const unsentFields: ReadonlySet<string> = new Set<WireName>([
  'id',
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

const releaseContent = ({ release, assets }: Snapshot): JsonObject =>
  sentContent({
    ...presentRelease(release),
    artwork_asset_id: fileOf(release.artworkAssetId, assets),
  });

const trackContent = (
  track: Track,
  { release, assets }: Snapshot,
  followed = release.territories,
): JsonObject =>
  sentContent({
    ...presentTrack(track, followed),
    audio_asset_id: fileOf(track.audioAssetId, assets),
  });

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

/** Sets, whatever their order: `isSame` compares them by key. */
const territoryComparisonKey = (territories: Json): JsonObject =>
  Object.fromEntries(
    [...entriesOf(territories).values()].map((code) => [JSON.stringify(code), true]),
  );

/** The same bytes under another id are the same file; a file not ready yet has only its id. */
const fileComparisonKey = (file: Json): Json =>
  entriesOf(file).get('sha256') ?? entriesOf(file).get('asset_id') ?? null;

/** What is compared whole, by what makes two of it the same. */
const comparisonKeys: Readonly<Record<string, (value: Json) => Json>> = {
  territories: territoryComparisonKey,
  territory: territoryComparisonKey,
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
  // Elements of lists of unlike lengths cannot be told which is which.
  if ([before, after].some(Array.isArray) && left.size !== right.size) return [change];
  return [...new Set([...right.keys(), ...left.keys()])].flatMap((name) =>
    innermostChanges({
      pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      before: left.get(name) ?? null,
      after: right.get(name) ?? null,
    }),
  );
}

/** A map, since partners name some of the parts, and every object has a `constructor`. */
const entriesOf = (value: Json): ReadonlyMap<string, Json> =>
  new Map(typeof value === 'object' ? Object.entries<Json>(value ?? {}) : []);

/** Cut between characters, since half a surrogate pair cannot be stored; counted as JSON writes them. */
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
