/**
 * The columns of a sheet: the fields of the API by their own names, those of the release with `release.` before them. A
 * test compares this list with the API, so that a new field cannot be forgotten.
 */

import { distanceOf } from './distance.ts';

export type FieldKind =
  | {
      readonly type:
        | 'text'
        | 'date'
        | 'instant'
        | 'integer'
        | 'boolean'
        | 'list'
        | 'artists'
        | 'json';
    }
  | { readonly type: 'upc' | 'ean' | 'isrc' }
  | { readonly type: 'choice'; readonly values: readonly string[] };

const text = { type: 'text' } as const;
const date = { type: 'date' } as const;
const list = { type: 'list' } as const;
const json = { type: 'json' } as const;
const choice = (...values: string[]) => ({ type: 'choice', values }) as const;
const aiUse = choice('none', 'partly', 'all');

const shared = {
  title: text,
  version: text,
  artists: { type: 'artists' },
  reference: text,
  genre: text,
  subgenre: text,
  language: text,
  p_line: text,
  explicit: choice('explicit', 'clean', 'none'),
  original_release_date: date,
  excluded_territories: list,
  use_types: list,
  localized_titles: json,
  metadata: json,
} as const satisfies Record<string, FieldKind>;

export const releaseFields: Readonly<Record<string, FieldKind>> = {
  ...shared,
  release_date: date,
  release_at: { type: 'instant' },
  pre_order_date: date,
  label: text,
  label_id: text,
  metadata_language: text,
  upc: { type: 'upc' },
  ean: { type: 'ean' },
  type: choice('single', 'ep', 'album', 'compilation'),
  c_line: text,
  catalog_number: text,
  territories: list,
  price_tier: choice('budget', 'mid', 'front', 'premium'),
  'ai_use.artwork': aiUse,
};

export const trackFields: Readonly<Record<string, FieldKind>> = {
  ...shared,
  isrc: { type: 'isrc' },
  iswc: text,
  disc: { type: 'integer' },
  position: { type: 'integer' },
  territory: list,
  preview_start_ms: { type: 'integer' },
  recording_country: text,
  composition: choice('original', 'cover', 'public_domain'),
  samples: choice('none', 'cleared'),
  mechanical_licence: text,
  lyrics_language: text,
  ugc_policy: choice('monetize', 'track', 'block'),
  instant_gratification: { type: 'boolean' },
  'ai_use.recording': aiUse,
  'ai_use.composition': aiUse,
};

export const requiredReleaseFields = ['title', 'artists', 'release_date'];
export const releasePrefix = 'release.';
const contributorPrefix = 'contributors.';
const fileColumn = 'file';
export const coverColumn = 'release.cover';

export type SheetColumn =
  | { readonly of: 'release' | 'track'; readonly field: string; readonly kind: FieldKind }
  | { readonly of: 'contributor'; readonly role: string }
  | { readonly of: 'file' }
  | { readonly of: 'cover' };

export function columnOf(name: string): SheetColumn | undefined {
  if (name === fileColumn) return { of: 'file' };
  if (name === coverColumn) return { of: 'cover' };
  if (name.startsWith(contributorPrefix)) {
    const role = name.slice(contributorPrefix.length);
    return /^[a-z_]{2,50}$/.test(role) ? { of: 'contributor', role } : undefined;
  }
  const isRelease = name.startsWith(releasePrefix);
  const field = isRelease ? name.slice(releasePrefix.length) : name;
  const fields = isRelease ? releaseFields : trackFields;
  const kind = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return kind === undefined ? undefined : { of: isRelease ? 'release' : 'track', field, kind };
}

const knownColumns: readonly string[] = [
  fileColumn,
  coverColumn,
  ...Object.keys(trackFields),
  ...Object.keys(releaseFields).map((field) => releasePrefix + field),
];

/** The column that was probably meant, if one is close enough. */
export function likelyColumn(name: string): string | undefined {
  const normal = name.toLowerCase().replaceAll(/[\s-]+/g, '_');
  // A column of the release without its prefix is the usual mistake.
  if (knownColumns.includes(releasePrefix + normal)) return releasePrefix + normal;
  const [best] = knownColumns
    .map((column) => ({ column, distance: distanceOf(normal, column) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, normal.length / 3)
    ? best.column
    : undefined;
}
