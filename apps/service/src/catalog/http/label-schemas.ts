/** The label on the wire (catalogue §3). */

import { type Static, Type } from 'typebox';
import {
  closed,
  IdOf,
  PageOf,
  pageQuery,
  referenceMax,
  Text,
  Timestamp,
} from '../../platform/http/schema.ts';
import { inAnswers, inRequests, metadata, nameMax, territoryList } from './content-schemas.ts';

const name = Text(nameMax, {
  description:
    'The name of the label. It must be unique among your labels. Releases keep the name that the label had before.',
  examples: ['Northern Lights'],
});

/** Null until they are sent; a request may clear them with null. */
const optional = {
  reference: Text(referenceMax, {
    description: 'Your own id of the label. It must be unique among your labels.',
  }),
  p_line_owner: Text(nameMax, { description: 'The owner of the recordings.' }),
  c_line_owner: Text(nameMax, { description: 'The owner of the artwork and texts.' }),
  default_territories: territoryList(
    'The territories of a release that is created with this label and without `territories`.',
  ),
};

const readOnlyFields = ['id', 'is_default', 'created_at', 'updated_at'];

export const CreateLabelBody = Type.Object(
  { name, ...inRequests({ ...optional, metadata }) },
  { ...closed, title: 'CreateLabel', 'x-read-only': readOnlyFields },
);

export const PatchLabelBody = Type.Object(
  { name: Type.Optional(name), ...inRequests({ ...optional, metadata }) },
  { ...closed, title: 'UpdateLabel', 'x-read-only': readOnlyFields },
);

export const LabelBody = Type.Object(
  {
    id: IdOf('lbl'),
    name,
    metadata,
    ...inAnswers(optional),
    is_default: Type.Boolean({
      description: '`true`: a release that is created without a label gets this one.',
    }),
    created_at: Timestamp('When the label was created.'),
    updated_at: Timestamp('When the label was last changed.'),
  },
  { ...closed, title: 'Label' },
);

export const LabelPage = PageOf('LabelPage', LabelBody);

export const LabelListQuery = Type.Object(
  {
    name: Type.Optional(Text(nameMax, { description: 'Only the label with exactly this name.' })),
    reference: Type.Optional(
      Text(referenceMax, { description: 'Only the label with this reference.' }),
    ),
    ...pageQuery,
  },
  closed,
);

export const LabelPath = Type.Object({ label_id: IdOf('lbl') });

export type PatchLabelRequest = Static<typeof PatchLabelBody>;
