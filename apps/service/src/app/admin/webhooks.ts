/** Announcements to partners. */

import { announceChange } from '../../webhooks/commands/announce-change.ts';
import { command, type Commands } from './command.ts';
import { date } from './flag-types.ts';
import { required, UsageError } from './flag.ts';

export const webhookCommands: Commands = {
  'changelog publish': command({
    summary: 'send this entry of the changelog to the enterprise tier, once',
    flags: { date: required(date) },
    orgOf: () => 'everywhere',
    run: async (tx, flags, { publicUrl }) => {
      if (publicUrl === undefined) {
        throw new UsageError(
          'TONEARM_PUBLIC_URL is missing. Set it: the entry has the URL of its page.',
        );
      }
      const isAnnounced = await announceChange(tx, flags.date, publicUrl);
      return isAnnounced
        ? { auditedId: flags.date, shown: { org_id: tx.orgId, entry: flags.date } }
        : undefined;
    },
  }),
};
