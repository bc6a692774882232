/**
 * A naive model of deals (catalogue §1.1, §2), for property tests: sets of codes and loops, no code of the service. It
 * asks of every territory, use type and track whether everyone allows it.
 */

type Codes = readonly string[];

type OwnRights = {
  readonly excludedTerritories: Codes | null;
  readonly useTypes: Codes | null;
};

export type ModelCatalogue = {
  readonly licensed: Codes;
  readonly release: OwnRights & { readonly territories: Codes };
  readonly tracks: readonly (OwnRights & {
    readonly id: string;
    readonly territory: Codes | null;
  })[];
};

type ModelStore = { readonly territoryCodes: Codes; readonly useTypes: Codes };

type ModelRights = { readonly territories: Codes; readonly uses: Codes };

/** Codes and use types are sorted. `tracks` has only the tracks whose rights differ, by id. */
export type ModelDeal = ModelRights & {
  readonly isWorldwide: boolean;
  readonly tracks: Readonly<Record<string, ModelRights>>;
};

const saysWorld = (codes: Codes): boolean => codes.includes('WORLD') || codes.includes('WORLDWIDE');

export const allowsTerritory = (codes: Codes | null, code: string): boolean =>
  codes === null || saysWorld(codes) || codes.includes(code);

export const allowsUse = (uses: Codes | null, use: string): boolean =>
  uses === null || uses.includes(use);

const excludes = ({ excludedTerritories }: OwnRights, code: string): boolean =>
  excludedTerritories !== null && excludedTerritories.includes(code);

const isSame = (one: ModelRights, other: ModelRights): boolean =>
  one.territories.join() === other.territories.join() && one.uses.join() === other.uses.join();

function rightsOfRelease(
  { licensed, release }: ModelCatalogue,
  store: ModelStore,
  requested: Codes,
): ModelRights {
  const territories = new Set<string>();
  for (const code of store.territoryCodes) {
    const isAllowed =
      allowsTerritory(requested, code) &&
      allowsTerritory(licensed, code) &&
      allowsTerritory(release.territories, code) &&
      !excludes(release, code);
    if (isAllowed) territories.add(code);
  }
  const uses = new Set<string>();
  for (const use of store.useTypes) if (allowsUse(release.useTypes, use)) uses.add(use);
  return { territories: [...territories].toSorted(), uses: [...uses].toSorted() };
}

/** A track that may be offered nowhere, or in no way, has no rights at all. */
function rightsOfTrack(
  track: ModelCatalogue['tracks'][number],
  { territories, uses }: ModelRights,
): ModelRights {
  const own = {
    territories: territories.filter(
      (code) => allowsTerritory(track.territory, code) && !excludes(track, code),
    ),
    uses: uses.filter((use) => allowsUse(track.useTypes, use)),
  };
  return own.territories.length === 0 || own.uses.length === 0
    ? { territories: [], uses: [] }
    : own;
}

export function modelDeal(
  catalogue: ModelCatalogue,
  store: ModelStore,
  requested: Codes,
): ModelDeal | string {
  const ofRelease = rightsOfRelease(catalogue, store, requested);
  if (ofRelease.uses.length === 0) return 'no_use_type';
  if (ofRelease.territories.length === 0) return 'no_territory';
  const tracks: Record<string, ModelRights> = {};
  let offered = 0;
  for (const track of catalogue.tracks) {
    const ofTrack = rightsOfTrack(track, ofRelease);
    if (ofTrack.territories.length > 0) offered++;
    if (!isSame(ofTrack, ofRelease)) tracks[track.id] = ofTrack;
  }
  if (offered === 0) return 'no_track';
  const isEverywhere = store.territoryCodes.every((code) => ofRelease.territories.includes(code));
  return { ...ofRelease, tracks, isWorldwide: isEverywhere && saysWorld(requested) };
}

/** Whether both send the store the same: the word that was requested is not sent. */
export function isSameModelDeal(one: ModelDeal, other: ModelDeal): boolean {
  const ids = new Set([...Object.keys(one.tracks), ...Object.keys(other.tracks)]);
  for (const id of ids) {
    const [first, second] = [one.tracks[id], other.tracks[id]];
    if (first === undefined || second === undefined || !isSame(first, second)) return false;
  }
  return isSame(one, other);
}
