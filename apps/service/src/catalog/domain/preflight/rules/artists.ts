import type { Artist } from '../../release.ts';
import type { PreflightInput } from '../preflight-input.ts';
import { forReleaseAndTracks, type ReleaseOrTrack, buildFix } from '../release-or-track.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { isJoined, mainArtistNames, splitJoinedArtists } from '../text/artist-names.ts';
import { foldCase } from '../text/words.ts';

export const variousArtists = 'Various Artists';
/** From this number of main artists on, stores file the release under "Various Artists". */
const variousArtistsMin = 4;
const field = 'artists';
const prevents = 'release_violates_terms_of_service';

function checkJoined(entity: ReleaseOrTrack): RawFinding[] {
  const joined = entity.artists.find(isJoined);
  if (joined === undefined) return [];
  const fixes = () => {
    const artists = splitJoinedArtists(entity.artists);
    return artists === undefined ? [] : [buildFix(entity, { artists })];
  };
  const message = 'An entry of artists names more than one artist. Send one entry for each artist.';
  const [measured, limit] = [joined.name, 'one name per entry'];
  return [{ track: entity.track, field, message, measured, limit, fixes }];
}

function checkFeatured(entity: ReleaseOrTrack): RawFinding[] {
  const mains = mainArtistNames(entity.artists);
  const isMainToo = ({ role, name }: Artist): boolean =>
    role === 'featured' && mains.has(foldCase(name));
  const twice = entity.artists.find(isMainToo);
  if (twice === undefined) return [];
  const fixes = () => [
    buildFix(entity, { artists: entity.artists.filter((artist) => !isMainToo(artist)) }),
  ];
  const message = 'An artist is both main and featured. Send only one of the two roles.';
  const [measured, limit] = [twice.name, 'main or featured'];
  return [{ track: entity.track, field, message, measured, limit, fixes }];
}

function checkVarious({ release, tracks }: PreflightInput): RawFinding[] {
  if (tracks.length < 2 || mainArtistNames(release.artists).has(foldCase(variousArtists)))
    return [];
  if (mainArtistNamesOfTracks(tracks, variousArtistsMin).size < variousArtistsMin) return [];
  const others = release.artists.filter(({ role }) => role !== 'main');
  const artists: Artist[] = [{ name: variousArtists, role: 'main' }, ...others];
  const message = `The release has ${variousArtistsMin} or more main artists. Send ${variousArtists} as its only main artist.`;
  const limit = variousArtistsMin - 1;
  const fixes = () => [{ release: { artists } }];
  return [
    {
      field,
      message,
      // Counted only for a report: the verification of a fix does not read it.
      get measured() {
        return mainArtistNamesOfTracks(tracks).size;
      },
      limit,
      fixes,
    },
  ];
}

/** The main artists of all tracks; stops at `enough` names. */
function mainArtistNamesOfTracks(
  tracks: PreflightInput['tracks'],
  enough = Infinity,
): ReadonlySet<string> {
  const all = new Set<string>();
  for (const { artists } of tracks) {
    for (const name of mainArtistNames(artists)) all.add(name);
    if (all.size >= enough) break;
  }
  return all;
}

export const artistRules = {
  artist_joined: {
    description:
      'Each artist should have an entry of their own; stores find the page of an artist by one name.',
    severity: 'warning',
    readsFields: ['artists'],
    source: "a distributor's guide",
    prevents,
    ...forReleaseAndTracks(checkJoined),
  } satisfies Rule,
  artist_featured_and_main: {
    description:
      'A main artist should not be a featured artist too; stores would show the name twice.',
    severity: 'warning',
    readsFields: ['artists'],
    source: "a major streaming store's style guide, section on featured artists",
    prevents,
    ...forReleaseAndTracks(checkFeatured),
  } satisfies Rule,
  artist_various: {
    description:
      'A release with four or more main artists over several tracks should be by Various Artists; stores do not list more.',
    unit: 'artists',
    severity: 'warning',
    readsFields: ['artists'],
    source: "a distributor's guide",
    prevents,
    release: checkVarious,
  } satisfies Rule,
};
