import { findRelease } from '../../catalog/face.ts';
import { parseId, type ReleaseId } from '../../kernel/ids.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseSteps, refuseTooManyScenarios, type Scenario } from '../domain/scenario.ts';
import { lockClock } from '../store/clocks.ts';
import { countScenarios, insertScenario } from '../store/scenarios.ts';

export type ScenarioRequest = Omit<Scenario, 'id' | 'releaseId' | 'createdAt'> & {
  /** As the partner sent it. */
  readonly releaseId: string | null;
};

export async function createScenario(tx: Tx, request: ScenarioRequest): Promise<Scenario> {
  enforce(refuseSteps(request.steps, request.message));
  const releaseId = await requireRelease(tx, request.releaseId);
  const isKnownStore =
    request.storeId === null || (await findStore(tx, request.storeId)) !== undefined;
  if (!isKnownStore) enforce(unknown('store_id', 'is not a store of the network'));
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
    enforce(unknown('release_id', 'is not a release of your organization'));
  return release?.id ?? null;
}

const unknown = (field: string, issue: string): Refusal => ({
  code: 'invalid_field',
  message: `The ${field} ${issue}.`,
  details: [{ field, issue }],
});
