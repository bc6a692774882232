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
  description: 'Unique among your labels. Releases keep the name that the label had before.',
  examples: ['Northern Lights'],
});

/** Null until they are sent; a request may clear them with null. */
const optional = {
  reference: Text(referenceMax, { description: 'Your own id, unique among your labels.' }),
  p_line_owner: Text(nameMax, { description: 'Who owns the recordings.' }),
  c_line_owner: Text(nameMax, { description: 'Who owns artwork and texts.' }),
  default_territories: territoryList(
    'The territories of a release that is created with this label and without territories.',
  ),
};

const readOnlyFields = ['id', 'is_default', 'created_at', 'updated_at'];

export const CreateLabelBody = Type.Object(
  { name, ...inRequests({ ...optional, metadata }) },
  { ...closed, title: 'CreateLabel', 'x-read-only': readOnlyFields },
);

export const PatchLabelBody = Type.Object(
  { name: Type.Optional(name), ...inRequests({ ...optional, metadata }) },
  { ...closed, title: 'PatchLabel', 'x-read-only': readOnlyFields },
);

export const LabelBody = Type.Object(
  {
    id: IdOf('lbl'),
    name,
    metadata,
    ...inAnswers(optional),
    is_default: Type.Boolean({
      description: 'Whether a release that is created without a label gets this one.',
    }),
    created_at: Timestamp('When the label was created.'),
    updated_at: Timestamp('When the label was last changed.'),
  },
  { ...closed, title: 'Label' },
);

export const LabelPage = PageOf('LabelPage', LabelBody);

export const LabelListQuery = Type.Object(
  {
    name: Type.Optional(Text(nameMax)),
    reference: Type.Optional(Text(referenceMax)),
    ...pageQuery,
  },
  closed,
);

export const LabelPath = Type.Object({ label_id: IdOf('lbl') });

export type PatchLabelRequest = Static<typeof PatchLabelBody>;
