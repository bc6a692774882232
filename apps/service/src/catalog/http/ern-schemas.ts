/** ERN messages of partners on the wire (contract §4). */

import { type Static, Type } from 'typebox';
import { ernVersions } from '../../network/face.ts';
import { described } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  keysAre,
  mayGrow,
  Nullable,
  OneOf,
  Reference,
  type TextRule,
} from '../../platform/http/schema.ts';
import { ReleaseBody } from './release-schemas.ts';

export const ernBytesMax = 1024 * 1024; // contract §7
/** One for each track, and the artwork. */
const filesMax = 501;

export const ErnRequestBody = Type.Object(
  {
    // The limit of the body is its limit: a longer text is 413 before it is read.
    message: Type.String({
      'x-text': 'verbatim' satisfies TextRule,
      minLength: 1,
      description:
        'A NewReleaseMessage or PurgeReleaseMessage of DDEX ERN 4.3.2 or 4.3 in UTF-8, without a DTD.',
    }),
    files: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[^\\s!"#$&()*+,:;<=>?@]\\S{0,999}$' }),
        Reference('ast', 'The id of an asset of yours.'),
        {
          ...closed,
          ...keysAre(
            'the URI of a file as in the message: no spaces, and at most 1,000 characters',
          ),
          maxProperties: filesMax,
          description:
            'The assets that stand for the files of the message: the id of an asset, by the URI of the file in the message. A track whose file is not listed keeps its audio; a new one has none.',
          examples: [{ 'resources/01.flac': 'ast_01m74zn0c0fkdvvggszxx63qmy' }],
        },
      ),
    ),
  },
  {
    ...closed,
    title: 'ErnIntake',
    description:
      'Send the message alone as `application/xml`, or as JSON with the assets that stand for its files.',
  },
);

export type ErnRequest = Static<typeof ErnRequestBody>;

export const ernActions = ['created', 'revised', 'unchanged', 'taken_down', 'deleted'] as const;

const ErnFinding = Type.Object(
  {
    xpath: Type.String({
      description: 'The XPath of the element that the finding is about.',
      examples: ['/ern:NewReleaseMessage/ReleaseList/Release'],
    }),
    message: Type.String({
      description: 'A sentence for people: what was not taken over, and why.',
    }),
  },
  { ...closed, title: 'ErnFinding' },
);

const ErnTrack = Type.Object(
  {
    track_id: IdOf('trk'),
    isrc: Type.String({ description: 'The ISRC with hyphens.', examples: ['QZ-ABC-26-00001'] }),
    file_uri: Nullable(Type.String({ description: 'The URI of the audio file in the message.' })),
    audio_asset_id: Nullable(IdOf('ast')),
  },
  { ...closed, title: 'ErnTrack' },
);

export const ErnResultBody = Type.Object(
  {
    message_id: Type.String({ description: 'The MessageId of the message.' }),
    ern_version: OneOf(ernVersions, { description: 'The version of ERN of the message.' }),
    action: OneOf(ernActions, {
      description: `What the message did. \`created\`: a draft. \`revised\`: the release has a new revision. \`unchanged\`: the release was as the message says. \`taken_down\`: its deliveries are taken down. \`deleted\`: the draft. ${mayGrow}`,
    }),
    release_id: IdOf('rel'),
    release: Nullable(
      described(ReleaseBody, 'The release after the message. `null`: the draft was deleted.'),
    ),
    tracks: Type.Array(ErnTrack, {
      description: 'The tracks of the message, in its order. Empty for a takedown and a deletion.',
    }),
    delivery_ids: Type.Array(IdOf('dlv'), {
      description: 'The deliveries that are taken down.',
    }),
    findings: Type.Array(ErnFinding, {
      description: 'What the message says that was not taken over, at most 100.',
    }),
  },
  { ...closed, title: 'ErnResult' },
);
