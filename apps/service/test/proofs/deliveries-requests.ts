/** The partner's requests in the proof `deliveries`: corrections, resubmissions, updates and takedowns. */

import type { FakeStore } from './deliveries-fake-stores.ts';
import {
  applyResubmission,
  applyUpdate,
  canResubmit,
  canUpdate,
  type Content,
  isUpdateOpen,
} from './deliveries-model.ts';
import type { ProofRelease, RunningScenario } from './deliveries-scenario.ts';
import type { Correction } from './deliveries-script.ts';
import { applyTakedown, canTakeDown } from './deliveries-takedowns.ts';

type Json = Record<string, unknown>;

export async function requestOrThrow(
  { processes, scenario }: RunningScenario,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<Json> {
  const { key } = scenario.caller;
  const answer = await processes.requestJson({ method, path, key, body });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

const isWorld = (codes: readonly string[]): boolean =>
  codes.includes('WORLD') || codes.includes('WORLDWIDE');

/** Catalogue §1.1: the release's deal is what was requested ∩ the release ∩ the store. Every territory is licensed. */
export const contentFor = (
  { revision, territories }: ProofRelease,
  { territories: ofStore, requestedCodes }: FakeStore,
): Content => ({
  revision,
  territories: ofStore.filter((code) =>
    [territories, requestedCodes].every((codes) => isWorld(codes) || codes.includes(code)),
  ),
});

/** What the store has, or is about to get. */
const targetOf = ({ storeDelivery }: FakeStore): Content =>
  isUpdateOpen(storeDelivery) && storeDelivery.update !== null
    ? storeDelivery.update
    : storeDelivery.content;

const titles = ['Night Ride', 'Morning Train'];

/**
 * The requests of a round, by the status of each store. Returns the stores whose takedown waits for their answer: the
 * scenario lets them answer.
 */
export async function requestChanges(
  running: RunningScenario,
  correction: Correction,
  round: number,
): Promise<readonly FakeStore[]> {
  const { scenario } = running;
  const all = [...scenario.fakeStores.values()];
  const byRequest = Map.groupBy(
    all,
    ({ plan, storeDelivery }) => plan.rounds[round]?.requests[storeDelivery.status],
  );
  const refused = (byRequest.get('resubmit') ?? []).filter(({ storeDelivery }) =>
    canResubmit(storeDelivery),
  );
  const outdated = (byRequest.get('update') ?? []).filter(({ storeDelivery }) =>
    canUpdate(storeDelivery),
  );
  const toTakeDown = byRequest.get('takedown') ?? [];
  if (correction.isCorrected && refused.length + outdated.length > 0)
    await correctRelease(running, correction, round);
  await resubmit(running, refused, correction);
  await update(running, outdated, correction);
  return takeDown(running, scenario.plan.kind === 'withdrawn' && round === 0 ? all : toTakeDown);
}

async function correctRelease(
  running: RunningScenario,
  { releaseTerritories }: Correction,
  round: number,
): Promise<void> {
  const { release } = running.scenario;
  const path = `/v1/releases/${release.id}`;
  const body = { title: titles[round], territories: releaseTerritories };
  const { revision } = await requestOrThrow(running, 'PATCH', path, body);
  release.revision = revision as number;
  release.territories = releaseTerritories;
}

/** The timeline has one entry for each revision that the stores of a request have. */
const noteRequest = (
  { scenario }: RunningScenario,
  type: 'resubmission' | 'update',
  fakeStores: readonly FakeStore[],
): void => {
  const revisions = new Set(fakeStores.map(({ storeDelivery }) => storeDelivery.content.revision));
  scenario.requests.push(...Array.from(revisions, () => type));
};

const namesOf = (fakeStores: readonly FakeStore[]): readonly string[] =>
  fakeStores.map(({ storeId }) => storeId);

async function resubmit(
  running: RunningScenario,
  refused: readonly FakeStore[],
  { isCorrected }: Correction,
): Promise<void> {
  if (refused.length === 0) return;
  const { scenario } = running;
  noteRequest(running, 'resubmission', refused);
  const body = { stores: namesOf(refused), force: !isCorrected };
  await requestOrThrow(running, 'POST', `/v1/deliveries/${scenario.id}/resubmit`, body);
  for (const fakeStore of refused) {
    const content = contentFor(scenario.release, fakeStore);
    fakeStore.storeDelivery = applyResubmission(fakeStore.storeDelivery, content);
  }
}

/** Stores that have, or are about to get, the same release with the same territories are skipped. */
async function update(
  running: RunningScenario,
  outdated: readonly FakeStore[],
  { territoryCodes }: Correction,
): Promise<void> {
  const { scenario } = running;
  const changes = outdated.map((fakeStore) => {
    const requestedCodes = territoryCodes ?? fakeStore.requestedCodes;
    const content = contentFor(scenario.release, { ...fakeStore, requestedCodes });
    return { fakeStore, requestedCodes, content };
  });
  const applicable = changes.filter(
    ({ fakeStore, content }) =>
      fakeStore.storeDelivery.update?.status === 'rejected' ||
      !isSameContent(targetOf(fakeStore), content),
  );
  if (applicable.length === 0) return;
  const changed = applicable.map(({ fakeStore }) => fakeStore);
  noteRequest(running, 'update', changed);
  const { skipped } = await requestOrThrow(
    running,
    'POST',
    `/v1/deliveries/${scenario.id}/update`,
    { stores: namesOf(outdated), ...(territoryCodes && { territory_codes: territoryCodes }) },
  );
  compareSkipped(running, outdated, changed, skipped);
  for (const { fakeStore, requestedCodes, content } of applicable) {
    fakeStore.requestedCodes = requestedCodes;
    fakeStore.storeDelivery = applyUpdate(fakeStore.storeDelivery, content);
  }
}

const isSameContent = (one: Content, other: Content): boolean =>
  one.revision === other.revision && one.territories.join() === other.territories.join();

/** Catalogue §1.6: a request names in `skipped` each store that it does not apply to. */
function compareSkipped(
  { scenario }: RunningScenario,
  named: readonly FakeStore[],
  applicable: readonly FakeStore[],
  skipped: unknown,
): void {
  const expected = namesOf(named.filter((each) => !applicable.includes(each))).toSorted();
  const actual = (skipped as { store_id: string }[]).map(({ store_id }) => store_id).toSorted();
  if (actual.join() !== expected.join())
    scenario.wrongSkips.push(`skipped ${actual.join()}, not ${expected.join()}`);
}

async function takeDown(
  running: RunningScenario,
  named: readonly FakeStore[],
): Promise<readonly FakeStore[]> {
  const applicable = named.filter(({ storeDelivery }) => canTakeDown(storeDelivery));
  // The api refuses a request that applies to no store.
  if (applicable.length === 0) return [];
  const { skipped } = await requestTakedown(running, named);
  compareSkipped(running, named, applicable, skipped);
  for (const fakeStore of applicable)
    fakeStore.storeDelivery = applyTakedown(fakeStore.storeDelivery);
  return applicable.filter(
    ({ storeDelivery: { status } }) => status === 'in_progress' || status === 'action_required',
  );
}

export function requestTakedown(
  running: RunningScenario,
  fakeStores: readonly FakeStore[],
): Promise<Json> {
  const { scenario } = running;
  scenario.requests.push('takedown');
  const isWhole = fakeStores.length === scenario.fakeStores.size;
  const body = isWhole ? {} : { stores: namesOf(fakeStores) };
  return requestOrThrow(running, 'POST', `/v1/deliveries/${scenario.id}/takedown`, body);
}
