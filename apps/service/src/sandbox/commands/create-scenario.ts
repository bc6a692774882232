import { findRelease } from '../../catalog/face.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseSteps, refuseTooManyScenarios, type Scenario } from '../domain/scenario.ts';
import { lockClock } from '../store/clocks.ts';
import { countScenarios, insertScenario } from '../store/scenarios.ts';

export type ScenarioRequest = Omit<Scenario, 'id' | 'releaseId' | 'createdAt'> & {
  /** As it was given. */
  readonly releaseId: string | null;
};

export async function createScenario(tx: Tx, request: ScenarioRequest): Promise<Scenario> {
  enforce(refuseSteps(request.steps));
  const releaseId = await knownRelease(tx, request.releaseId);
  const isStore = request.storeId === null || (await findStore(tx, request.storeId)) !== undefined;
  if (!isStore) enforce(unknown('store_id', 'is not a store of the network'));
  // One after the other: two that count at once would both find room.
  await lockClock(tx);
  enforce(refuseTooManyScenarios(await countScenarios(tx)));
  const scenario: Scenario = { ...request, id: tx.newId('scn'), releaseId, createdAt: tx.now };
  insertScenario(tx, scenario);
  return scenario;
}

async function knownRelease(tx: Tx, given: string | null): Promise<ReleaseId | null> {
  if (given === null) return null;
  const id = parseId('rel', given);
  const release = id && (await findRelease(tx, tx.orgId, id));
  if (release === undefined) enforce(unknown('release_id', 'names no release'));
  return release?.id ?? null;
}

const unknown = (field: string, issue: string): Refusal => ({
  code: 'invalid_field',
  message: `The ${field} ${issue}.`,
  details: [{ field, issue }],
});
