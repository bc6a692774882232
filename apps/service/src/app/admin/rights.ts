/** Who may deliver a code that another organization holds live at a store. */

import { giveUpRights, grantRights, refuseRights } from '../../delivery/commands/decide-rights.ts';
import {
  findRightsReviews,
  listedReviewsMax,
  listRightsReviews,
} from '../../delivery/store/rights-reviews.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { command, type CommandResult, type Commands, ofPlatform, onlyReads } from './command.ts';
import { id, multilineText, orgFlag } from './flag-types.ts';
import { required, toggle } from './flag.ts';

export const rightsCommands: Commands = {
  'rights list': command({
    summary: `list where releases wait for a rights review, and who holds their codes: the oldest ${listedReviewsMax}`,
    flags: {},
    noDryRun: onlyReads,
    orgOf: ofPlatform,
    run: async (tx) => {
      const reviews = (await listRightsReviews(tx)).map((review) => ({
        org_id: review.orgId,
        release_id: review.releaseId,
        store_id: review.storeId,
        codes: review.codes,
        holder_org_id: review.holderOrgId,
        holder_release_id: review.holderReleaseId,
        opened_at: review.openedAt.toISOString(),
      }));
      return { auditedId: tx.orgId, shown: { reviews } };
    },
  }),
  'rights decide': command({
    summary:
      'decide whether a release that waits is sent: granted beside the holder, refused, or instead of the holder',
    flags: {
      org: orgFlag,
      release: required(id('rel')),
      grant: toggle('both may deliver, for example in different territories'),
      refuse: toggle('the stores that wait are rejected with rights_conflict'),
      transfer: toggle('what the holders have there is taken down, and the release is sent'),
      reason: required(multilineText, 'partners read it if their release is refused or taken down'),
    },
    exactlyOne: ['grant', 'refuse', 'transfer'],
    orgOf: ({ org, transfer }) => (transfer === true ? 'everywhere' : org),
    organizations: async (db, { org, release }) => {
      const holders = (await findRightsReviews(db, org, release)).map((each) => each.holderOrgId);
      // The release is sent when all of it is taken down: a command that ends halfway can be repeated.
      return [...new Set(holders), org];
    },
    run: async (tx, { org, release, refuse, reason }) => {
      if (tx.orgId !== org) return giveUp(tx, { orgId: org, releaseId: release }, reason);
      const deliveries =
        refuse === true
          ? await refuseRights(tx, release, reason)
          : await grantRights(tx, release, reason);
      const decision = refuse === true ? 'refused' : 'granted';
      return { auditedId: release, shown: { release_id: release, decision, deliveries, reason } };
    },
  }),
};

async function giveUp(
  tx: Tx,
  claim: { readonly orgId: OrgId; readonly releaseId: ReleaseId },
  reason: string,
): Promise<CommandResult | undefined> {
  const { orgId } = tx;
  const deliveries = await giveUpRights(tx, claim, reason);
  if (deliveries.length === 0) return undefined;
  return { auditedId: orgId, shown: { org_id: orgId, taken_down: deliveries, reason } };
}
