/** The codes of an organization, and its audit log. */

import { addRegistrant, addUpcRange } from '../../identity/commands/provision.ts';
import { findBrokenLink } from '../../platform/db/audit.ts';
import { command, type Commands, ofOrganization, onlyReads } from './command.ts';
import { orgFlag, text } from './flag-types.ts';
import { required } from './flag.ts';

export const codeCommands: Commands = {
  'audit verify': command({
    summary: 'find out whether a row of the audit log was changed, removed or added',
    flags: { org: orgFlag },
    noDryRun: onlyReads,
    orgOf: ofOrganization,
    run: async (tx) => {
      const broken = await findBrokenLink(tx);
      const shown = { org_id: tx.orgId, intact: broken === null, first_broken: broken };
      return { auditedId: tx.orgId, shown };
    },
  }),
  'upc add-range': command({
    summary: 'give an organization UPCs with this prefix',
    flags: { org: orgFlag, prefix: required(text('GS1_COMPANY_PREFIX')) },
    orgOf: ofOrganization,
    run: async (tx, { prefix }) => {
      const added = await addUpcRange(tx, prefix);
      return { auditedId: tx.orgId, shown: { org_id: tx.orgId, ...added } };
    },
  }),
  'isrc add-registrant': command({
    summary: 'give an organization ISRCs with this registrant code',
    flags: { org: orgFlag, code: required(text('REGISTRANT_CODE')) },
    orgOf: ofOrganization,
    run: async (tx, { code }) => {
      await addRegistrant(tx, code);
      return { auditedId: tx.orgId, shown: { org_id: tx.orgId, registrant: code } };
    },
  }),
};
