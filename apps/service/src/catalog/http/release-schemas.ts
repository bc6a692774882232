/** The release on the wire (spec §2.1, contract §2). */

import { type Static, Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import {
  AppliesTo,
  closed,
  DateText,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Reference,
  referenceMax,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { priceTiers, releaseStatuses, releaseTypes } from '../domain/release.ts';
import { reviewStatuses } from '../domain/submission.ts';
import {
  aiUse,
  aiUseDescription,
  artistEntries,
  artists,
  exclusionList,
  inAnswers,
  inRequests,
  Language,
  localizedTitles,
  metadata,
  nameMax,
  sharedFields,
  subgenre,
  territoryList,
  title,
} from './content-schemas.ts';

const label = Text(nameMax, {
  description: 'Label shown on storefronts.',
  examples: ['Northern Lights'],
});
const labelId = Reference('lbl', 'A label of yours. It sets label to its name.');
const territories = territoryList(
  'ISO 3166-1 alpha-2 codes, or WORLD alone. Replaces the whole list; a PATCH without excluded_territories clears those.',
);
const metadataLanguage = Language(
  'The language of titles, versions and names, BCP 47; the default of the account when omitted. What is sung is lyrics_language of each track.',
);
const releaseDate = DateText('Must be in the future when the release is submitted.');
const upc = Type.String({
  description: '12 digits with a GS1 check digit.',
  examples: ['860001000009'],
  maxLength: 64,
});

/** Null until they are sent; a request may clear them with null. A new field takes one line here. */
const optional = {
  ...sharedFields,
  release_at: Timestamp(
    'The moment of the release, the same everywhere; on release_date in some time zone. Null: local midnight of release_date in every territory.',
    '2027-01-15T17:00:00.000Z',
  ),
  pre_order_date: DateText(
    'The day on which pre-orders begin, before release_date. Sent to the stores whose capabilities have pre_order.',
    '2026-12-18',
  ),
  original_release_date: DateText('When the recording first came out.'),
  excluded_territories: exclusionList(
    'ISO 3166-1 alpha-2 codes: WORLD except these. With a list of codes in territories they are refused.',
  ),
  use_types: Type.Array(OneOf(useTypes), {
    maxItems: useTypes.length,
    uniqueItems: true,
    description: 'How stores may offer the release; at least one. Null: in every way.',
    examples: [['ad_supported_stream', 'subscription_stream']],
  }),
  type: OneOf(releaseTypes),
  c_line: Text(nameMax, { examples: ['2027 Northern Lights'] }),
  catalog_number: Text(100),
  ai_use: Type.Object(
    { artwork: aiUse },
    { ...closed, title: 'ReleaseAiUse', description: aiUseDescription },
  ),
  ean: Type.String({
    format: 'ean',
    description:
      'EAN-13 with a GS1 check digit, for catalogue that already has one. Stores get it instead of upc.',
    examples: ['4006381333931'],
  }),
  price_tier: OneOf(priceTiers, {
    description:
      'What a download costs. Sent to stores with the use type download; null: each store decides.',
  }),
  localized_titles: localizedTitles,
  subgenre,
};
const optionalInRequests = {
  metadata: Type.Optional(Nullable(metadata)),
  ...inRequests(optional),
};

const readOnlyFields = [
  'id',
  'status',
  'track_count',
  'submission',
  'revision',
  'created_at',
  'updated_at',
];

export const CreateReleaseBody = Type.Object(
  {
    title,
    artists: artistEntries,
    release_date: releaseDate,
    label: Type.Optional(label),
    metadata_language: Type.Optional(metadataLanguage),
    label_id: Type.Optional(labelId),
    territories: Type.Optional(territories),
    upc: Type.Optional(upc),
    ...optionalInRequests,
  },
  { ...closed, title: 'CreateRelease', 'x-read-only': [...readOnlyFields, 'artwork_asset_id'] },
);

export const PatchReleaseBody = Type.Object(
  {
    title: Type.Optional(title),
    artists: Type.Optional(artistEntries),
    release_date: Type.Optional(releaseDate),
    label: Type.Optional(label),
    metadata_language: Type.Optional(metadataLanguage),
    label_id: Type.Optional(labelId),
    territories: Type.Optional(territories),
    artwork_asset_id: Type.Optional(Nullable(Reference('ast', 'A ready artwork asset.'))),
    status: Type.Optional(
      OneOf(releaseStatuses, { deprecated: true, description: 'Removed on 2024-09-01.' }),
    ),
    ...optionalInRequests,
  },
  {
    ...closed,
    title: 'PatchRelease',
    'x-read-only': [...readOnlyFields.filter((name) => name !== 'status'), 'upc'],
  },
);

export const SubmissionBody = Type.Object(
  {
    submission_id: IdOf('sub'),
    release_id: IdOf('rel'),
    revision: Type.Integer({ description: 'The revision that was submitted.' }),
    submitted_at: Timestamp('When it was submitted.'),
    review_status: OneOf(reviewStatuses),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String({ examples: ['isrc_repeated'] }),
          applies_to: AppliesTo,
          pointer: Type.String({ description: 'JSON pointer.', examples: ['/tracks/1/isrc'] }),
          message: Type.String(),
        },
        { ...closed, title: 'ReviewFinding' },
      ),
      { description: 'Why the review refused it.' },
    ),
  },
  { ...closed, title: 'Submission' },
);

/** Those with a place of their own in an answer, and all others. */
const {
  reference,
  version,
  release_at,
  pre_order_date,
  original_release_date,
  excluded_territories,
  use_types,
  ...others
} = inAnswers(optional);

export const ReleaseBody = Type.Object(
  {
    id: IdOf('rel'),
    reference,
    metadata,
    title,
    version,
    artists,
    release_date: releaseDate,
    release_at,
    pre_order_date,
    original_release_date,
    label,
    label_id: Nullable({
      ...IdOf('lbl'),
      description: 'The label whose name this was when the release was written.',
    }),
    metadata_language: metadataLanguage,
    upc,
    territories,
    excluded_territories,
    use_types,
    status: OneOf(releaseStatuses),
    ...others,
    artwork_asset_id: Nullable(IdOf('ast')),
    track_count: Type.Integer(),
    submission: Nullable(SubmissionBody),
    revision: Type.Integer({ description: 'Counts every change of the release or its tracks.' }),
    created_at: Timestamp('When the release was created.'),
    updated_at: Timestamp('When the release was last changed.'),
  },
  { ...closed, title: 'Release' },
);

const revisionFields = {
  release_id: IdOf('rel'),
  revision: Type.Integer(),
  changed_fields: Type.Array(Type.String(), { description: 'Empty for the first revision.' }),
  actor: Type.Object({ type: Type.String(), id: Type.String() }, { ...closed, title: 'Actor' }),
  created_at: Timestamp('When the change was made.'),
};

const RevisionSummary = Type.Object(revisionFields, { ...closed, title: 'RevisionSummary' });
export const RevisionBody = Type.Object(
  { ...revisionFields, release: ReleaseBody },
  { ...closed, title: 'Revision' },
);

export const ReleasePage = PageOf('ReleasePage', ReleaseBody);
export const RevisionPage = PageOf('RevisionPage', RevisionSummary);

export const PageQuery = Type.Object(pageQuery, closed);
export const ReleaseListQuery = Type.Object(
  {
    status: Type.Optional(OneOf(releaseStatuses)),
    upc: Type.Optional(
      Type.String({ format: 'upc', pattern: '^\\d{12}$', examples: ['860001000009'] }),
    ),
    ean: Type.Optional(
      Type.String({ format: 'ean', pattern: '^\\d{13}$', examples: ['4006381333931'] }),
    ),
    reference: Type.Optional(Text(referenceMax)),
    label: Type.Optional(Text(nameMax)),
    label_id: Type.Optional(IdOf('lbl')),
    updated_since: Type.Optional(Timestamp('Only releases changed at or after this time.')),
    ...pageQuery,
  },
  closed,
);

/** The route takes no fields: no body, or an empty object. */
export const NoBody = Type.Object({}, { ...closed, title: 'NoBody' });

export const ReleasePath = Type.Object({ release_id: IdOf('rel') });
export const RevisionPath = Type.Object({
  release_id: IdOf('rel'),
  revision: Type.String({ pattern: '^\\d+$' }),
});

export type CreateReleaseRequest = Static<typeof CreateReleaseBody>;
export type PatchReleaseRequest = Static<typeof PatchReleaseBody>;
