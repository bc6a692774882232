/** payout-schedules (org): `run` creates the automatic payouts of a month, in one step (contract §4). */

import { workflowOwner } from '../../kernel/actor.ts';
import { toWire } from '../../kernel/ids.ts';
import type { Workflow } from '../../platform/engine/workflow.ts';
import { runPayoutSchedule } from '../commands/run-payout-schedule.ts';
import type { Screening } from '../connectors/screening.ts';
import { payoutScheduleService } from '../messages.ts';

export const payoutScheduleWorkflow = (screen: Screening): Workflow => ({
  service: payoutScheduleService,
  handlers: {
    run: async (run) => {
      const owner = workflowOwner(toWire('org', run.key), payoutScheduleService);
      await run.step('run', owner, (tx) => runPayoutSchedule(tx, screen));
    },
  },
});
