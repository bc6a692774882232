/** The release on the wire (spec §2.1, contract §2). */

import { type Static, Type } from 'typebox';
import { useTypes } from '../../kernel/use-type.ts';
import { withRule } from '../../platform/http/body-rules.ts';
import { actorDescriptions, described } from '../../platform/http/named-enums.ts';
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
  patterned,
} from '../../platform/http/schema.ts';
import { priceTiers, releaseStatuses, releaseTypes, refuseUpc } from '../domain/release.ts';
import { refuseUseTypes } from '../domain/rights.ts';
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
  description:
    'The name of the label as stores show it. If you omit it, the default label of your organization.',
  examples: ['Northern Lights'],
});
const labelId = Reference(
  'lbl',
  'The id of a label of yours. It sets `label` to the name of that label.',
);
const territories = territoryList(
  'ISO 3166-1 alpha-2 codes, or `WORLD` alone for all territories that you are licensed for. Replaces the whole list; a PATCH without `excluded_territories` clears those.',
);
const metadataLanguage = Language(
  'The BCP 47 tag of the language of titles, versions and names. If you omit it, the default of your organization. The language that is sung is `lyrics_language` of each track.',
);
const releaseDate = DateText(
  'The day of the release. It must be in the future when you submit the release.',
);
const upc = Type.String({
  description:
    'The UPC: 12 digits, of which the last is the GS1 check digit. If you omit it, one is assigned from your pool. It cannot be changed later.',
  examples: ['860001000009'],
  maxLength: 64,
  ...withRule(refuseUpc),
});

/** Null until they are sent; a request may clear them with null. A new field takes one line here. */
const optional = {
  ...sharedFields,
  release_at: Timestamp(
    'The moment of the release, the same everywhere. It must be on `release_date` in some time zone. `null`: local midnight of `release_date` in every territory.',
    '2027-01-15T17:00:00.000Z',
  ),
  pre_order_date: DateText(
    'The day on which pre-orders begin. It must be before `release_date`. It is sent to the stores whose capabilities include `pre_order`.',
    '2026-12-18',
  ),
  original_release_date: DateText('The day on which the recording was first released.'),
  excluded_territories: exclusionList(
    'ISO 3166-1 alpha-2 codes of the territories to leave out. Allowed only if `territories` is `WORLD`.',
  ),
  use_types: Type.Array(OneOf(useTypes), {
    maxItems: useTypes.length,
    uniqueItems: true,
    ...withRule(refuseUseTypes),
    description:
      'How stores may offer the release. Send at least one use type. `null`: in every way.',
    examples: [['ad_supported_stream', 'subscription_stream']],
  }),
  type: OneOf(releaseTypes, {
    description: 'The type of the release. `null`: stores decide by the tracks.',
  }),
  c_line: Text(nameMax, {
    description: 'The year and the owner of the artwork and texts, without the sign.',
    examples: ['2027 Northern Lights'],
  }),
  catalog_number: Text(100, { description: 'Your own catalog number, at most 100 characters.' }),
  ai_use: described(
    Type.Object(
      { artwork: aiUse('artwork') },
      { ...closed, title: 'ReleaseAiUse', description: aiUseDescription },
    ),
    aiUseDescription,
  ),
  ean: Type.String({
    format: 'ean',
    description:
      'The EAN: 13 digits, of which the last is the GS1 check digit. Send it if the release already has one; stores get it instead of `upc`.',
    examples: ['4006381333931'],
  }),
  price_tier: OneOf(priceTiers, {
    description:
      'The price tier of a download. It is sent to stores with the use type `download`. `null`: each store decides.',
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
    artwork_asset_id: Type.Optional(
      Nullable(Reference('ast', 'The id of a `ready` artwork asset.')),
    ),
    status: Type.Optional(
      OneOf(releaseStatuses, {
        deprecated: true,
        description:
          'Removed on 2024-09-01. Submit the release with `POST /v1/releases/{release_id}/submit`.',
      }),
    ),
    ...optionalInRequests,
  },
  {
    ...closed,
    title: 'UpdateRelease',
    'x-read-only': [...readOnlyFields.filter((name) => name !== 'status'), 'upc'],
  },
);

export const SubmissionBody = Type.Object(
  {
    submission_id: IdOf('sub'),
    release_id: IdOf('rel'),
    revision: Type.Integer({ description: 'The revision that was submitted.' }),
    submitted_at: Timestamp('When the release was submitted.'),
    review_status: OneOf(reviewStatuses, { description: 'The status of the review.' }),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String({ description: 'The id of the rule.', examples: ['isrc_repeated'] }),
          applies_to: AppliesTo,
          pointer: Type.String({
            description: 'A JSON pointer to the value that the finding is about.',
            examples: ['/tracks/1/isrc'],
          }),
          message: Type.String({ description: 'What is wrong and what to do.' }),
        },
        { ...closed, title: 'ReviewFinding' },
      ),
      { description: 'Why the review rejected the release; empty if it did not.' },
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
      description:
        'The id of the label whose name `label` was when the release was written. `null`: the label has no id.',
    }),
    metadata_language: metadataLanguage,
    upc,
    territories,
    excluded_territories,
    use_types,
    status: OneOf(releaseStatuses, { description: 'The status of the release.' }),
    ...others,
    artwork_asset_id: Nullable(IdOf('ast')),
    track_count: Type.Integer({ description: 'The number of tracks.' }),
    submission: Nullable(
      described(SubmissionBody, 'The latest submission. `null`: the release was never submitted.'),
    ),
    revision: Type.Integer({ description: 'Counts every change of the release or its tracks.' }),
    created_at: Timestamp('When the release was created.'),
    updated_at: Timestamp('When the release was last changed.'),
  },
  { ...closed, title: 'Release' },
);

const revisionFields = {
  release_id: IdOf('rel'),
  revision: Type.Integer({ description: 'The number of the revision.' }),
  changed_fields: Type.Array(Type.String(), {
    description: 'The fields that changed; empty for the first revision.',
  }),
  actor: Type.Object(
    {
      type: Type.String({ description: actorDescriptions.type }),
      id: Type.String({ description: actorDescriptions.id }),
    },
    { ...closed, title: 'RevisionActor' },
  ),
  created_at: Timestamp('When the change was made.'),
};

const RevisionSummary = Type.Object(revisionFields, { ...closed, title: 'ReleaseRevisionSummary' });
export const RevisionBody = Type.Object(
  { ...revisionFields, release: ReleaseBody },
  { ...closed, title: 'ReleaseRevision' },
);

export const ReleasePage = PageOf('ReleasePage', ReleaseBody);
export const RevisionPage = PageOf('ReleaseRevisionPage', RevisionSummary);

export const PageQuery = Type.Object(pageQuery, closed);
export const ReleaseListQuery = Type.Object(
  {
    status: Type.Optional(
      OneOf(releaseStatuses, { description: 'Only releases with this status.' }),
    ),
    upc: Type.Optional(
      Type.String({
        format: 'upc',
        description: 'Only releases with this UPC.',
        examples: ['860001000009'],
      }),
    ),
    ean: Type.Optional(
      Type.String({
        format: 'ean',
        description: 'Only releases with this EAN.',
        examples: ['4006381333931'],
      }),
    ),
    reference: Type.Optional(
      Text(referenceMax, { description: 'Only the release with this reference.' }),
    ),
    label: Type.Optional(Text(nameMax, { description: 'Only releases with this label.' })),
    label_id: Type.Optional(IdOf('lbl')),
    updated_since: Type.Optional(Timestamp('Only releases changed at or after this time.')),
    ...pageQuery,
  },
  closed,
);

/** The route takes no fields: no body, or an empty object. */
export const EmptyBody = Type.Object({}, { ...closed, title: 'EmptyBody' });

export const ReleasePath = Type.Object({ release_id: IdOf('rel') });
export const RevisionPath = Type.Object({
  release_id: IdOf('rel'),
  revision: Type.String({
    description: 'The number of the revision.',
    ...patterned('^\\d+$', 'the number of a revision'),
    examples: ['1'],
  }),
});

export type CreateReleaseRequest = Static<typeof CreateReleaseBody>;
export type PatchReleaseRequest = Static<typeof PatchReleaseBody>;
