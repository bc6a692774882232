/**
 * Asks every connected store for its acknowledgements, each minute. Each store has its own key, so that one that does
 * not answer delays no other.
 */

import { minuteMs } from '../../kernel/duration.ts';
import type { Schedule } from '../../platform/engine/schedules.ts';
import { TerminalFailure, type Workflow } from '../../platform/engine/workflow.ts';
import { receiveAcknowledgements } from '../commands/receive-acknowledgements.ts';
import type { ReceiveDeps } from '../commands/record-acknowledgement.ts';
import { acknowledgementService, pollStore } from '../messages.ts';
import { listConnectedStores } from '../store/store-connections.ts';

export const acknowledgementSchedules: readonly Schedule[] = [
  { service: acknowledgementService, job: 'poll', everyMs: minuteMs },
];

/** Then the next minute continues. */
const pollsPerRunMax = 20;
/** The next minute is the next attempt. */
const attemptsMax = 1;
const inactivityTimeoutMs = 10 * minuteMs;

export const acknowledgementWorkflow = (deps: ReceiveDeps): Workflow => ({
  service: acknowledgementService,
  inactivityTimeoutMs,
  handlers: {
    run: async (run) => {
      const storeIds = await run.externalStep('list', async () => [
        ...(await listConnectedStores(deps.db.withoutTenant)),
      ]);
      for (const storeId of storeIds) run.send(pollStore(storeId));
    },
    poll: async (run) => {
      const poll = (signal: AbortSignal) => receiveAcknowledgements(deps, run.key, signal);
      try {
        for (let round = 0; round < pollsPerRunMax; round++) {
          if (!(await run.externalStep('poll', poll, attemptsMax))) return;
        }
      } catch (error) {
        if (!(error instanceof TerminalFailure)) throw error;
        deps.logger.warn({ store: run.key, err: error }, 'a store’s answers cannot be read now');
      }
    },
  },
});
