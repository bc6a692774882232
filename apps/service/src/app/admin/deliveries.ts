/** Deliveries: the back catalogue for a store, and legal takedowns. */

import { backfillStore } from '../../delivery/commands/backfill-store.ts';
import {
  placeLegalHolds,
  presentLegalHold,
  liftLegalHold,
  type RecordingCode,
  takeDownByCode,
} from '../../delivery/commands/legal-takedown.ts';
import { purgeRelease } from '../../delivery/commands/purge-release.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { Problem } from '../../kernel/problem.ts';
import { isEan } from '../../kernel/product-code.ts';
import { isUpc } from '../../kernel/upc.ts';
import { command, type Commands, ofOrganization } from './command.ts';
import { id, isrc, list, multilineText, orgFlag, storeId, text } from './flag-types.ts';
import { type FlagType, type OneOf, optional, required } from './flag.ts';

/** Partners read it in the timeline, as the reason of a takedown. */
const purgeReasonMax = 1_000;
const purgeReason: FlagType<string> = {
  ...multilineText,
  is: `text of at most ${purgeReasonMax} characters`,
  parse: (given) => (given.length <= purgeReasonMax ? given : undefined),
};

const productCode = (
  placeholder: string,
  is: string,
  isValid: (code: string) => boolean,
): FlagType<string> => ({
  placeholder,
  is: `${is} whose last digit is its check digit`,
  parse: (code) => (isValid(code) ? code : undefined),
});

export const deliveryCommands: Commands = {
  'deliveries backfill': command({
    summary:
      'deliver releases that other stores have and this store never had, 1,000 releases per job',
    flags: {
      org: orgFlag,
      store: required(storeId),
      territories: optional(list(text(), 'US,DE,…')),
      after: optional(id('rel'), 'the last release of the job before'),
    },
    orgOf: ofOrganization,
    run: async (tx, { store, territories, after }) => {
      const filled = await backfillStore(tx, {
        storeId: store,
        territoryCodes: territories,
        after,
      });
      if (filled === undefined) {
        throw new Problem(
          'invalid_state',
          'There is nothing left to deliver to this store: every release is there already.',
        );
      }
      const { job, last } = filled;
      return {
        auditedId: job.id,
        shown: { job_id: job.id, releases: job.total, last_release: last },
      };
    },
  }),
  'deliveries purge': command({
    summary: 'have one store forget a release that it got by mistake or that is corrupt there',
    flags: {
      org: orgFlag,
      release: required(id('rel')),
      store: required(storeId),
      reason: required(purgeReason),
    },
    orgOf: ofOrganization,
    run: async (tx, { release, store, reason }) => {
      const purge = { releaseId: release, storeId: store, reason };
      const { deliveryId, messageId } = await purgeRelease(tx, purge);
      return {
        auditedId: release,
        shown: {
          release_id: release,
          store_id: store,
          delivery_id: deliveryId,
          message_id: messageId,
          reason,
        },
      };
    },
  }),
  'legal takedown': command({
    summary:
      'take a recording or a release down from every store, in every organization, with a legal hold',
    flags: {
      isrc: optional(isrc),
      upc: optional(productCode('UPC', '12 digits', isUpc)),
      ean: optional(productCode('EAN', '13 digits', isEan)),
      reason: required(multilineText),
    },
    exactlyOne: ['isrc', 'upc', 'ean'],
    orgOf: () => 'everywhere',
    commitFirst: (tx, flags) => placeLegalHolds(tx, codeOf(flags), flags.reason),
    run: async (tx, flags) => {
      const takedowns = await takeDownByCode(tx, codeOf(flags), flags.reason);
      const releases = takedowns.map(({ releaseId, deliveryIds }) => ({
        release_id: releaseId,
        deliveries_taken_down: deliveryIds,
      }));
      const [first, ...others] = releases.map((after) => ({
        auditedId: after.release_id,
        before: undefined,
        after,
      }));
      if (first === undefined) return undefined;
      return { ...first, alsoChanged: others, shown: { org_id: tx.orgId, releases } };
    },
  }),
  'legal lift': command({
    summary: 'remove the legal hold of a release',
    flags: { org: orgFlag, release: required(id('rel')) },
    orgOf: ofOrganization,
    run: async (tx, { release }) => {
      await liftLegalHold(tx, release);
      return {
        auditedId: release,
        before: presentLegalHold(release, true),
        shown: presentLegalHold(release, false),
      };
    },
  }),
};

type Codes = OneOf<
  { readonly isrc: Isrc; readonly upc: string; readonly ean: string },
  'isrc' | 'upc' | 'ean'
>;

const codeOf = ({ isrc: recording, upc, ean }: Codes): RecordingCode =>
  recording === undefined ? { productCode: upc ?? ean } : { isrc: recording };
