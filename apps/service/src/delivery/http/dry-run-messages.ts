/** The messages of a dry run on the wire (contract §4). */

import { Type } from 'typebox';
import { ernVersions } from '../../network/face.ts';
import { described } from '../../platform/http/named-enums.ts';
import { closed, Nullable, OneOf } from '../../platform/http/schema.ts';
import type { MessagePreview } from '../connectors/ddex/preview-messages.ts';

const limited =
  'The messages of a dry run have at most 2 MiB together. `null`: the limit is reached; try fewer stores at once.';

const pointerDescription =
  'A JSON pointer into the release as the API shows it, with its `tracks` by disc and position.';

const Conveyance = Type.Object(
  {
    sent: Type.Array(Type.String({ examples: ['/tracks/0/isrc'] }), {
      description: `The values that the message carries. ${pointerDescription}`,
    }),
    dropped: Type.Array(
      Type.Object(
        {
          pointer: Type.String({ description: pointerDescription, examples: ['/reference'] }),
          reason: Type.String({
            description: 'A sentence for people: why the store does not get the value.',
          }),
        },
        { ...closed, title: 'DroppedValue' },
      ),
      { description: 'The values that the message does not carry, each with the reason.' },
    ),
  },
  {
    ...closed,
    title: 'Conveyance',
  },
);

export const conveys = Nullable(
  described(
    Conveyance,
    `What the store gets of the release. Every value that is not \`null\` is either in \`sent\` or in \`dropped\`; a list of territories is one value. ${limited}`,
  ),
);

const DryRunMessage = Type.Object(
  {
    ern_version: OneOf(ernVersions, {
      description: 'The version of DDEX ERN that the store reads.',
    }),
    size_bytes: Type.Integer({ description: 'The size of the message in bytes.' }),
    xml: Nullable(
      Type.String({
        description: `The NewReleaseMessage in UTF-8. Its \`MessageId\` is \`dry_run\`. ${limited}`,
      }),
    ),
  },
  {
    ...closed,
    title: 'DryRunMessage',
  },
);

export const dryRunMessage = Nullable(
  described(DryRunMessage, `The message that the store would get. ${limited}`),
);

export const presentConveyed = (preview: MessagePreview | undefined) => preview?.conveyed ?? null;

export const presentMessage = (preview: MessagePreview | undefined) =>
  preview === undefined
    ? null
    : {
        ern_version: preview.ernVersion,
        size_bytes: preview.sizeBytes,
        xml: preview.xml,
      };
