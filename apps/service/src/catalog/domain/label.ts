/** A label of the organization (catalogue §3). Releases keep the name that the label had when they were written. */

import type { LabelId } from '../../kernel/ids.ts';
import type { Pairs } from '../../kernel/pairs.ts';
import { invalidField, Problem, type Refusal } from '../../kernel/problem.ts';
import { documentedTerritories, type TerritoryCode } from '../../kernel/territory.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import { namesOf } from './optional-fields.ts';
import { isDeepEqual } from './release.ts';

/** What a partner can set on a label. */
export type LabelContent = {
  /** Unique in the organization. */
  readonly name: string;
  readonly reference: string | null;
  readonly metadata: Pairs;
  readonly pLineOwner: string | null;
  readonly cLineOwner: string | null;
  /** Of a release that is created with this label and without territories. */
  readonly defaultTerritories: readonly TerritoryCode[] | null;
};

export type Label = LabelContent & {
  readonly id: LabelId;
  /** The label of a release that is created without one. */
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type LabelEdit = Partial<LabelContent>;

/** The same label, if nothing differs. */
export function applyLabelEdit(label: Label, edit: LabelEdit, now: Date): Label {
  const { defaultTerritories: codes } = edit;
  const normalized = {
    ...edit,
    ...(codes && { defaultTerritories: documentedTerritories(codes) }),
  };
  if (namesOf(normalized).every((field) => isDeepEqual(label[field], normalized[field])))
    return label;
  return { ...label, ...normalized, updatedAt: nextUpdatedAt(label, now) };
}

/** Refuses a name or a reference that another label of the organization has. */
export function refuseTakenLabel(
  { name, reference }: LabelEdit,
  others: readonly Pick<Label, 'id' | 'name' | 'reference'>[],
): Refusal | undefined {
  const sameName = others.find((other) => other.name === name);
  if (sameName !== undefined)
    return invalidField('name', `is already the name of ${sameName.id}; send another name`);
  const owner = others.find((other) => other.reference !== null && other.reference === reference);
  return owner && invalidField('reference', `is already used by ${owner.id}; send another one`);
}

/** `releaseId`: a release that has the label. */
export function refuseLabelDelete(
  { isDefault }: Label,
  releaseId: string | undefined,
): Refusal | undefined {
  if (isDefault) {
    return {
      code: 'invalid_state',
      message:
        'The default label of your organization cannot be deleted. Choose another default label first, with PATCH /v1/organization.',
    };
  }
  if (releaseId === undefined) return undefined;
  return {
    code: 'invalid_state',
    message: `The label is used by ${releaseId}. Give its releases another label first.`,
  };
}

/** What a request says about the label of a release. The id is not parsed yet. */
export type NamedLabel = {
  readonly label?: string | undefined;
  readonly labelId?: string | undefined;
};

/** `found`: the label that `labelId` names, if there is one. */
export function refuseNamedLabel(
  { label, labelId }: NamedLabel,
  found: Pick<Label, 'name'> | undefined,
): Refusal | undefined {
  if (labelId === undefined) return undefined;
  if (found === undefined)
    return invalidField(
      'label_id',
      'must be the id of a label of yours; GET /v1/labels lists them',
    );
  if (label === undefined || label === found.name) return undefined;
  return invalidField(
    'label',
    `must be "${found.name}", the name of ${labelId}; send this name, or omit label`,
  );
}

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const labelNotFound = (): Problem =>
  new Problem('resource_not_found', 'No label of your organization has this id.');
