import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  applyOrganizationEdit,
  type OrganizationDetails,
  type OrganizationEdit,
} from '../domain/organization-details.ts';
import {
  lockLabelName,
  lockOrganizationDetails,
  setDefaultLabel,
  updateOrganizationDetails,
} from '../store/organization-details.ts';
import { unknownOrganization } from './provision.ts';

export type EditOrganizationRequest = {
  readonly edit: Omit<OrganizationEdit, 'defaultLabel'>;
  /** Not parsed yet. */
  readonly defaultLabelId: string | undefined;
  /** Whether the organization still has the ETag that the caller sent (If-Match). */
  readonly isExpected: (organization: OrganizationDetails) => boolean;
};

export type EditedOrganization = {
  readonly before: OrganizationDetails;
  readonly organization: OrganizationDetails;
};

/** Changes no release: each keeps the label and the language that it was created with. */
export async function editOrganization(
  tx: Tx,
  { edit, defaultLabelId, isExpected }: EditOrganizationRequest,
): Promise<EditedOrganization> {
  const before = await lockOrganizationDetails(tx);
  if (before === undefined) throw unknownOrganization(tx);
  if (!isExpected(before)) {
    throw new Problem(
      'precondition_failed',
      'The organization has changed since you read it. Read it again, apply your change to it, and send its new ETag.',
    );
  }
  const defaultLabel = await findDefaultLabel(tx, defaultLabelId);
  const organization = applyOrganizationEdit(
    before,
    { ...edit, ...(defaultLabel !== undefined && { defaultLabel }) },
    tx.realNow,
  );
  if (organization !== before) updateOrganizationDetails(tx, organization);
  if (organization.defaultLabel.id !== before.defaultLabel.id) {
    setDefaultLabel(tx, organization.defaultLabel.id);
  }
  return { before, organization };
}

async function findDefaultLabel(
  tx: Tx,
  labelId: string | undefined,
): Promise<OrganizationDetails['defaultLabel'] | undefined> {
  if (labelId === undefined) return undefined;
  const id = parseId('lbl', labelId);
  const name = id && (await lockLabelName(tx, id));
  if (id === undefined || name === undefined) {
    const issue = 'must be the id of a label of yours; GET /v1/labels lists them';
    throw new Problem('invalid_field', `default_label_id ${issue}.`, {
      details: [{ field: 'default_label_id', issue }],
    });
  }
  return { id, name };
}
