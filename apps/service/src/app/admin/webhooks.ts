/** Announcements to partners. */

import { isCalendarDate } from '../../kernel/calendar-date.ts';
import { announceChange } from '../../webhooks/commands/announce-change.ts';
import { type Commands, required, UsageError } from './command.ts';

export const webhookCommands: Commands = {
  'changelog publish': {
    orgOf: 'everywhere',
    run: async (tx, flags, { publicUrl }) => {
      const date = required(flags, 'date');
      if (!isCalendarDate(date)) throw new UsageError('--date must be a date such as 2026-11-15.');
      if (publicUrl === undefined) {
        throw new UsageError(
          'TONEARM_PUBLIC_URL is missing. Set it: the entry has the URL of its page.',
        );
      }
      const isAnnounced = await announceChange(tx, date, publicUrl);
      return isAnnounced
        ? { auditedId: date, shown: { org_id: tx.orgId, entry: date } }
        : undefined;
    },
  },
};
