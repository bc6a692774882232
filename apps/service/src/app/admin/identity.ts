/** Organizations. */

import {
  changeStatementCurrency,
  changeTier,
  createOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../identity/commands/provision.ts';
import { setVerification } from '../../identity/commands/set-verification.ts';
import { presentOrganization } from '../../identity/domain/organization-details.ts';
import { unverified, verificationStatuses, verified } from '../../identity/domain/verification.ts';
import { findOrganizationDetails } from '../../identity/store/organization-details.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { NewId } from '../../kernel/ids.ts';
import { canonicalLanguage, languageDefault, type LanguageTag } from '../../kernel/language.ts';
import { world } from '../../kernel/territory.ts';
import { tiers } from '../../kernel/tier.ts';
import type { Tx } from '../../platform/db/database.ts';
import { command, type CommandResult, type Commands, ofOrganization } from './command.ts';
import { choice, currency, id, list, orgFlag, text } from './flag-types.ts';
import { type FlagType, optional, required } from './flag.ts';
import { requirements } from './requirements.ts';

const statementCurrencyDefault = 'USD';

const language: FlagType<LanguageTag> = {
  placeholder: 'LANGUAGE',
  is: 'a BCP 47 language tag such as en or pt-BR',
  parse: canonicalLanguage,
};

export const identityCommands = (newId: NewId): Commands => ({
  'org create': command({
    summary: 'create an organization',
    flags: {
      name: required(text('NAME')),
      tier: required(choice(tiers)),
      label: optional(text('LABEL'), 'of releases that name none; without it, the name'),
      language: optional(language, `of releases that name none; without it, ${languageDefault}`),
      territories: optional(list(text(), 'US,DE,…'), 'without it, the world'),
      id: optional(id('org'), 'so that one organization can be in sandbox and live'),
      'statement-currency': optional(currency, `without it, ${statementCurrencyDefault}`),
    },
    orgOf: (flags) => flags.id ?? newId('org'),
    run: (tx, { name, tier, label, territories, ...flags }, { environment }) => {
      const organization = {
        name,
        tier,
        defaultLabel: label ?? name,
        defaultMetadataLanguage: flags.language ?? languageDefault,
        licensedTerritories: territories ?? [world],
        statementCurrency: flags['statement-currency'] ?? statementCurrencyDefault,
        manualReview: false,
      };
      const verification = environment === 'live' ? unverified : verified;
      createOrganization(tx, organization, verification);
      const { defaultLabel, defaultMetadataLanguage, licensedTerritories } = organization;
      const { statementCurrency } = organization;
      const shown = {
        id: tx.orgId,
        name,
        tier,
        default_label: defaultLabel,
        default_metadata_language: defaultMetadataLanguage,
        licensed_territories: licensedTerritories,
        statement_currency: statementCurrency,
        verification,
      };
      return { auditedId: tx.orgId, shown };
    },
  }),
  'org suspend': command({
    summary: 'suspend an organization: it reads, but changes nothing',
    flags: { org: orgFlag },
    orgOf: ofOrganization,
    run: (tx, _flags, { environment }) =>
      changeOrganization(tx, environment, suspendOrganization, { suspended: true }),
  }),
  'org resume': command({
    summary: 'end the suspension of an organization',
    flags: { org: orgFlag },
    orgOf: ofOrganization,
    run: (tx, _flags, { environment }) =>
      changeOrganization(tx, environment, resumeOrganization, { suspended: false }),
  }),
  'org set-tier': command({
    summary: 'change the tier of an organization',
    flags: { org: orgFlag, tier: required(choice(tiers)) },
    orgOf: ofOrganization,
    run: (tx, { tier }, { environment }) =>
      changeOrganization(tx, environment, () => changeTier(tx, tier), { tier }),
  }),
  'org set-statement-currency': command({
    summary: 'change the currency of later statements; balances stay in theirs',
    flags: { org: orgFlag, currency: required(currency) },
    orgOf: ofOrganization,
    run: (tx, flags, { environment }) => {
      const change = () => changeStatementCurrency(tx, flags.currency);
      return changeOrganization(tx, environment, change, { statement_currency: flags.currency });
    },
  }),
  'org verify': command({
    summary: 'set whether an organization is verified, and what it must still send',
    flags: {
      org: orgFlag,
      status: required(choice(verificationStatuses)),
      requirement: requirements,
    },
    orgOf: ofOrganization,
    run: async (tx, { status, requirement }, { environment }) => {
      const verification = { status, requirements: requirement };
      const { before, organization } = await setVerification(tx, verification, environment);
      return {
        auditedId: tx.orgId,
        shown: { id: tx.orgId, verification: organization.verification },
        before: presentOrganization(before, environment),
        after: presentOrganization(organization, environment),
      };
    },
  }),
});

/** The audit row has the digests of what GET /v1/organization shows before and after the change. */
async function changeOrganization(
  tx: Tx,
  environment: Environment,
  change: (tx: Tx) => Promise<void>,
  shown: object,
): Promise<CommandResult> {
  const read = async () => {
    const organization = await findOrganizationDetails(tx, tx.orgId);
    return organization && presentOrganization(organization, environment);
  };
  const before = await read();
  await change(tx);
  const after = await read();
  return {
    auditedId: tx.orgId,
    shown: { id: tx.orgId, ...shown },
    before,
    ...(after !== undefined && { after }),
  };
}
