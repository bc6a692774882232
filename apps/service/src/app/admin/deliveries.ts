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
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { Problem } from '../../kernel/problem.ts';
import { isEan } from '../../kernel/product-code.ts';
import { isUpc } from '../../kernel/upc.ts';
import { type Commands, type Flags, orgId, required, UsageError } from './command.ts';

/** Partners read it in the timeline, as the reason of a takedown. */
const purgeReasonMax = 1_000;

export const deliveryCommands: Commands = {
  'deliveries backfill': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const { after, territories } = flags;
      const filled = await backfillStore(tx, {
        storeId: required(flags, 'store'),
        territoryCodes: territories?.split(','),
        after: after === undefined ? undefined : releaseOf(after, 'after'),
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
  },
  'deliveries purge': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const releaseId = releaseOf(required(flags, 'release'), 'release');
      const storeId = required(flags, 'store');
      const reason = required(flags, 'reason');
      if (reason.length > purgeReasonMax)
        throw new UsageError(`--reason must have at most ${purgeReasonMax} characters.`);
      const { deliveryId, messageId } = await purgeRelease(tx, { releaseId, storeId, reason });
      return {
        auditedId: releaseId,
        shown: {
          release_id: releaseId,
          store_id: storeId,
          delivery_id: deliveryId,
          message_id: messageId,
          reason,
        },
      };
    },
  },
  'legal takedown': {
    orgOf: 'everywhere',
    commitFirst: (tx, flags) => placeLegalHolds(tx, codeOf(flags), required(flags, 'reason')),
    run: async (tx, flags) => {
      const takedowns = await takeDownByCode(tx, codeOf(flags), required(flags, 'reason'));
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
  },
  'legal lift': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = releaseOf(required(flags, 'release'), 'release');
      await liftLegalHold(tx, id);
      return {
        auditedId: id,
        before: presentLegalHold(id, true),
        shown: presentLegalHold(id, false),
      };
    },
  },
};

function releaseOf(text: string, flag: string): ReleaseId {
  const id = parseId('rel', text);
  if (id === undefined) throw new UsageError(`--${flag} must be the id of a release (rel_… id).`);
  return id;
}

function codeOf({ isrc: isrcText, upc, ean }: Flags): RecordingCode {
  if ([isrcText, upc, ean].filter((text) => text !== undefined).length !== 1) {
    throw new UsageError('Send --isrc for a recording, or --upc or --ean for a release.');
  }
  if (upc !== undefined && isUpc(upc)) return { productCode: upc };
  if (ean !== undefined && isEan(ean)) return { productCode: ean };
  const isrc = parseIsrc(isrcText ?? '');
  if (isrc === undefined)
    throw new UsageError(
      '--isrc, --upc or --ean is not a valid code. Check its check digit and form.',
    );
  return { isrc };
}
