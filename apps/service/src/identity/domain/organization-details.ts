/** The organization as its partner sees it, in answers and in events. */

import type { Environment } from '../../kernel/environment.ts';
import type { LabelId } from '../../kernel/ids.ts';
import type { LanguageTag } from '../../kernel/language.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Organization } from './organization.ts';
import type { Verification } from './verification.ts';

export const contactTypes = ['technical', 'billing', 'legal', 'operations'] as const;

/** Whom the operator writes to. */
export type Contact = {
  readonly type: (typeof contactTypes)[number];
  readonly name: string | null;
  readonly email: string;
};

export const contactsMax = 10;

export type OrganizationDetails = Pick<
  Organization,
  'id' | 'name' | 'tier' | 'defaultMetadataLanguage' | 'licensedTerritories' | 'statementCurrency'
> & {
  /** With its name today. */
  readonly defaultLabel: { readonly id: LabelId; readonly name: string };
  readonly contacts: readonly Contact[];
  readonly verification: Verification;
  readonly suspendedAt: Date | null;
  /** Real time, as `suspendedAt` and `updatedAt`. */
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a partner may change; a label that is named has been found. */
export type OrganizationEdit = {
  readonly defaultLabel?: OrganizationDetails['defaultLabel'];
  readonly defaultMetadataLanguage?: LanguageTag;
  readonly contacts?: readonly Contact[];
};

/** The same organization, if nothing differs. */
export function applyOrganizationEdit(
  organization: OrganizationDetails,
  edit: OrganizationEdit,
  realNow: Date,
): OrganizationDetails {
  const next = { ...organization, ...edit };
  const isSame =
    next.defaultLabel.id === organization.defaultLabel.id &&
    next.defaultMetadataLanguage === organization.defaultMetadataLanguage &&
    JSON.stringify(next.contacts.map(presentContact)) ===
      JSON.stringify(organization.contacts.map(presentContact));
  return isSame ? organization : { ...next, updatedAt: nextUpdatedAt(organization, realNow) };
}

const presentContact = ({ type, name, email }: Contact) => ({ type, name, email });

const presentVerification = ({ status, requirements }: Verification) => ({
  status,
  requirements: requirements.map(({ code, description }) => ({ code, description })),
});

export const presentOrganization = (
  organization: OrganizationDetails,
  environment: Environment,
) => ({
  id: organization.id,
  name: organization.name,
  tier: organization.tier,
  environment,
  default_label_id: organization.defaultLabel.id,
  default_label: organization.defaultLabel.name,
  default_metadata_language: organization.defaultMetadataLanguage,
  contacts: organization.contacts.map(presentContact),
  licensed_territories: organization.licensedTerritories,
  statement_currency: organization.statementCurrency,
  verification: presentVerification(organization.verification),
  suspended_at: organization.suspendedAt?.toISOString() ?? null,
  created_at: organization.createdAt.toISOString(),
  updated_at: organization.updatedAt.toISOString(),
});
