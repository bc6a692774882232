import { findRelease } from '../../catalog/face.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { enforce, invalidField } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  refuseSteps,
  refuseTarget,
  refuseTooManyScenarios,
  type Scenario,
} from '../domain/scenario.ts';
import { lockClock } from '../store/clocks.ts';
import { countScenarios, insertScenario } from '../store/scenarios.ts';
import { requireStore } from './require-store.ts';

export type ScenarioRequest = Omit<Scenario, 'id' | 'releaseId' | 'createdAt'> & {
  /** As the partner sent it. */
  readonly releaseId: string | null;
};

export async function createScenario(tx: Tx, request: ScenarioRequest): Promise<Scenario> {
  enforce(refuseSteps(request.steps, request.message));
  enforce(refuseTarget(request));
  const releaseId = await requireRelease(tx, request.releaseId);
  if (request.storeId !== null) await requireStore(tx, request.storeId);
  // The lock serializes creations: two that count at the same time would both be below the limit.
  await lockClock(tx);
  enforce(refuseTooManyScenarios(await countScenarios(tx)));
  const scenario: Scenario = { ...request, id: tx.newId('scn'), releaseId, createdAt: tx.now };
  insertScenario(tx, scenario);
  return scenario;
}

async function requireRelease(tx: Tx, text: string | null): Promise<ReleaseId | null> {
  if (text === null) return null;
  const id = parseId('rel', text);
  const release = id && (await findRelease(tx, tx.orgId, id));
  if (release === undefined)
    enforce(invalidField('release_id', 'must be the id of a release of yours'));
  return release?.id ?? null;
}
