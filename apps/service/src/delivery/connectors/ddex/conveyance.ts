/**
 * What a store really receives of a release. The builder reports which parts of the model it wrote; the places say where
 * each value of the release is in the model. A value that is in neither is dropped, so nothing is promised that is not
 * in the message.
 */

import { type BuiltMessage, dropReasons, type NewReleaseMessage } from '@tonearm/ern';
import { presentRelease, presentTrack } from '../../../catalog/face.ts';
import type { Place, PlaceOf } from './place.ts';
import { releasePlaces } from './release-places.ts';
import { type MessageContext, offeredTracks } from './to-message.ts';
import { trackPlaces } from './track-places.ts';

/** JSON pointers into the release as the API shows it, with `tracks` by disc and position. */
export type Conveyed = {
  readonly sent: readonly string[];
  readonly dropped: readonly { readonly pointer: string; readonly reason: string }[];
};

type Value = { readonly pointer: string; readonly place: Place };

export function conveyedBy(
  built: BuiltMessage,
  message: NewReleaseMessage,
  context: MessageContext,
): Conveyed {
  const fateOf = createFates(built);
  const values = [...releaseValues(context, message), ...trackValues(context, message)];
  const fates = values.map(({ pointer, place }) => ({ pointer, reason: fateOf(place) }));
  return {
    sent: fates.flatMap(({ pointer, reason }) => (reason === undefined ? [pointer] : [])),
    dropped: fates.flatMap(({ pointer, reason }) =>
      reason === undefined ? [] : [{ pointer, reason }],
    ),
  };
}

function releaseValues(context: MessageContext, message: NewReleaseMessage): readonly Value[] {
  return valuesIn('', presentRelease(context.snapshot.release), releasePlaces(context, message));
}

const leftOut = () => ({ at: [], otherwise: 'The store is not offered the track.' });

function trackValues(context: MessageContext, message: NewReleaseMessage): readonly Value[] {
  const { snapshot, store } = context;
  const { storeId } = store;
  const offered = new Map(offeredTracks(context).map((track, i) => [track.id, i]));
  return snapshot.tracks.flatMap((track, i) => {
    const index = offered.get(track.id) ?? -1;
    const places = trackPlaces({ track, sent: message.tracks[index], index, storeId });
    const values = valuesIn(`/tracks/${i}`, presentTrack(track, snapshot.release), places);
    return index === -1 ? values.map(({ pointer }) => ({ pointer, place: leftOut() })) : values;
  });
}

/** These lists together make the territories of deals: their items have no places of their own. */
const wholeLists: ReadonlySet<string> = new Set([
  'territories',
  'territory',
  'excluded_territories',
]);

const valuesIn = <Fields extends object>(
  base: string,
  fields: Fields,
  places: Readonly<Record<keyof Fields, PlaceOf>>,
): readonly Value[] =>
  // Object.keys forgets the names; these are the fields of the object itself.
  (Object.keys(fields) as (keyof Fields & string)[]).flatMap((name) =>
    (wholeLists.has(name) && fields[name] !== null ? [[]] : tailsOf(fields[name])).map((tail) => ({
      pointer: [`${base}/${name}`, ...tail.map(escapeToken)].join('/'),
      place: places[name](tail),
    })),
  );

/** RFC 6901. */
const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** The steps to every value that is not null. An empty list or object is no value. */
function tailsOf(value: unknown): readonly (readonly string[])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[]];
  return Object.entries(value).flatMap(([name, inner]) =>
    tailsOf(inner).map((tail) => [name, ...tail]),
  );
}

/** Undefined: the value is sent. */
function createFates(built: BuiltMessage): (place: Place) => string | undefined {
  const conveyance = built.conveyance();
  const sent = new Set(conveyance.sent.flatMap(withParents));
  const reasons = new Map(
    conveyance.dropped.flatMap(({ pointer, reason }) =>
      withParents(pointer).map((each): [string, string] => [each, dropReasons[reason]]),
    ),
  );
  return ({ at, otherwise }) => {
    if (at.some((pointer) => sent.has(pointer))) return undefined;
    return (
      at.map((pointer) => reasons.get(pointer)).find((each) => each !== undefined) ?? otherwise
    );
  };
}

/** `/a/b`, `/a`. */
function withParents(pointer: string): readonly string[] {
  const parents: string[] = [];
  for (let path = pointer; path !== ''; path = path.slice(0, path.lastIndexOf('/')))
    parents.push(path);
  return parents;
}
