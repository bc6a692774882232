/** What an operator asks of deliveries: the back catalogue for a store, and what the law asks for. */
import { backfillStore } from '../../delivery/commands/backfill-store.ts';
import {
  liftHold,
  type RecordingCode,
  takeDownForLaw,
} from '../../delivery/commands/take-down-for-law.ts';
import { parseIsrc } from '../../kernel/isrc.ts';
import { parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { isUpc } from '../../kernel/upc.ts';
import { worldwide } from '../../kernel/territory.ts';
import { type Commands, type Flags, orgId, required, UsageError } from './command.ts';

export const deliveryCommands: Commands = {
  'deliveries backfill': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const territories = flags['territories']?.split(',') ?? [worldwide];
      const job = await backfillStore(tx, required(flags, 'store'), territories);
      if (job === undefined) {
        throw new Problem(
          'invalid_state',
          'Everything that can be there is at this store already.',
        );
      }
      return { subject: job.id, shown: { job_id: job.id, releases: job.total } };
    },
  },
  'legal takedown': {
    orgOf: 'everywhere',
    run: async (tx, flags) => {
      const taken = await takeDownForLaw(tx, codeOf(flags), required(flags, 'reason'));
      if (taken.length === 0) return undefined;
      const releases = taken.map(({ releaseId, deliveryIds }) => ({
        release_id: releaseId,
        deliveries_taken_down: deliveryIds,
      }));
      const subject = taken.map(({ releaseId }) => releaseId).join(' ');
      return { subject, shown: { org_id: tx.orgId, releases } };
    },
  },
  'legal lift': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('rel', required(flags, 'release'));
      if (id === undefined) throw new UsageError('--release must be a rel_… id');
      await liftHold(tx, id);
      return { subject: id, shown: { release_id: id, held: false } };
    },
  },
};

function codeOf({ isrc: isrcText, upc }: Flags): RecordingCode {
  if ((isrcText === undefined) === (upc === undefined)) {
    throw new UsageError('name the recording by --isrc, or the release by --upc');
  }
  if (upc !== undefined && isUpc(upc)) return { upc };
  const isrc = parseIsrc(isrcText ?? '');
  if (isrc === undefined) throw new UsageError('--isrc or --upc is not a valid code');
  return { isrc };
}
