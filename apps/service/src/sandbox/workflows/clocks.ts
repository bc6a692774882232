/** sandbox-clocks (org)   advance   the clock is moved to where it was asked to go */

import { workflowOwner } from '../../kernel/actor.ts';
import { parseId } from '../../kernel/ids.ts';
import { UnreadableMessage } from '../../platform/engine/lanes.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { nextClockStep, markFlushed } from '../commands/advance-clock.ts';
import { clockService, runClockAdvance } from '../messages.ts';

/** Then another run goes on: the engine keeps what a run has done until it has ended. */
const stepsPerRun = 300;
const pauseMs = 20;
const pauseMaxMs = 200;

/** Three quarters of a minute: longer than a webhook is waited for. */
const pausesMax = 240;

export const clockWorkflow: Workflow = { service: clockService, handlers: { advance } };

async function advance(run: HandlerContext): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is no organization`);
  const owner = workflowOwner(orgId, clockService);
  let pauses = 0;
  for (let i = 0; i < stepsPerRun; i++) {
    const mayWait = pauses < pausesMax;
    const stop = await run.step('next', owner, (tx) => nextClockStep(tx, mayWait));
    switch (stop.kind) {
      case 'arrived':
        return;
      case 'fire':
        await run.runToCompletion(stop.message, stop.timer);
        pauses = 0;
        break;
      case 'wait':
        await run.sleep(Math.min(++pauses * pauseMs, pauseMaxMs));
        break;
      default:
        await run.runAllToCompletion(stop.messages.map((message) => ({ message })));
        await run.step('flushed', owner, markFlushed);
    }
  }
  await run.step(
    'go on',
    owner,
    async (tx) => void enqueueDurablyInRealTime(tx, runClockAdvance(orgId)),
  );
}
