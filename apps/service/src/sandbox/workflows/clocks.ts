/** sandbox-clocks (org)   advance   moves the organization's clock to `advancing_to`, one due timer after the other */

import { workflowOwner } from '../../kernel/actor.ts';
import { parseId } from '../../kernel/ids.ts';
import { UnreadableMessage } from '../../platform/engine/lanes.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { requeueBusyDispatchers } from '../../webhooks/face.ts';
import { nextClockStep, markFlushed } from '../commands/advance-clock.ts';
import { clockService, runClockAdvance } from '../messages.ts';

/** The engine keeps the journal of a run until the run ends: after this many steps, a new run continues. */
const stepsPerRun = 300;
const pauseMs = 20;
const pauseMaxMs = 400;

/** About 92 s in all: longer than the reconciler takes to requeue a webhook dispatcher that the engine has lost. */
const pausesMax = 240;

/** About 12 s: sooner than the reconciler, which requeues a dispatcher a minute after its last claim. */
const pausesBeforeRequeue = 40;

export const clockWorkflow: Workflow = { service: clockService, handlers: { advance } };

async function advance(run: HandlerContext): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is not an organization id`);
  const owner = workflowOwner(orgId, clockService);
  let pauses = 0;
  for (let i = 0; i < stepsPerRun; i++) {
    const mayWait = pauses < pausesMax;
    const step = await run.step('next', owner, (tx) => nextClockStep(tx, mayWait));
    switch (step.kind) {
      case 'arrived':
        return;
      case 'fire':
        await run.runToCompletion(step.message, step.timer);
        pauses = 0;
        break;
      case 'wait':
        if (++pauses === pausesBeforeRequeue)
          await run.step('requeue', owner, requeueBusyDispatchers);
        await run.sleep(Math.min(pauses * pauseMs, pauseMaxMs));
        break;
      default:
        await run.runAllToCompletion(step.messages.map((message) => ({ message })));
        await run.step('flushed', owner, markFlushed);
    }
  }
  await run.step(
    'continue',
    owner,
    async (tx) => void enqueueDurablyInRealTime(tx, runClockAdvance(orgId)),
  );
}
