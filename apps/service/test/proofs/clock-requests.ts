/** A partner's requests in the model of the proof `clock` (contract §3, catalogue §1.5). */

import type { StatusAnnouncements } from './clock-announcements.ts';
import type { AddressedAnswer, ModelRelease } from './clock-model.ts';
import { createStoreDelivery, type StoreDelivery } from './clock-store-delivery.ts';
import { startOf, supports, type TrackedScenario } from './clock-stores.ts';
import type { ModelDelivery, RequestAction } from './clock-types.ts';
import {
  applyRefusedUpdate,
  applyResubmission,
  applyUpdate,
  canResubmit,
  canUpdate,
  isUpdateOpen,
  type StoreDelivery as State,
} from './deliveries-model.ts';
import { applyTakedown, canTakeDown } from './deliveries-takedowns.ts';

/** What requests change in the model. */
export type ModelCore = {
  readonly now: () => number;
  readonly deliveries: ModelDelivery[];
  readonly releases: readonly ModelRelease[];
  /** The newest first. */
  readonly scenarios: TrackedScenario[];
  readonly newMessageId: () => string;
  readonly change: (
    delivery: ModelDelivery,
    storeDelivery: StoreDelivery,
    next: State,
    announced?: StatusAnnouncements,
  ) => void;
  readonly announceStatusChange: (delivery: ModelDelivery) => void;
  readonly scheduleDispatch: (delivery: ModelDelivery) => void;
  readonly dispatchTakedowns: (delivery: ModelDelivery, asked: readonly StoreDelivery[]) => void;
  readonly applyAnswers: (
    delivery: ModelDelivery,
    addressed: readonly AddressedAnswer[],
  ) => boolean;
  readonly discardAnswers: (storeDelivery: StoreDelivery) => void;
};

type Action<Kind extends RequestAction['kind']> = Extract<RequestAction, { readonly kind: Kind }>;
type SentAgain = Action<'takedown' | 'update' | 'resubmit'>;

export function openRequests(core: ModelCore): (action: RequestAction) => boolean {
  return (action) => {
    switch (action.kind) {
      case 'script':
        return core.scenarios.unshift({ ...action.scenario, uses: [] }) > 0;
      case 'create':
        return create(core, action);
      case 'patch':
        return patch(core, action);
      case 'answer':
        return answer(core, action);
      case 'takedown':
        return takeDown(core, action);
      case 'update':
        return update(core, action);
      default:
        return resubmit(core, action);
    }
  };
}

const revisionOf = ({ versions }: ModelRelease): number => versions.length - 1;
const contentOf = (release: ModelRelease) => ({ revision: revisionOf(release), territories: [] });

function create(core: ModelCore, { release: index, stores }: Action<'create'>): boolean {
  const content = contentOf(core.releases[index]!);
  const delivery: ModelDelivery = {
    index: core.deliveries.length,
    release: index,
    storeDeliveries: stores
      .toSorted()
      .map((storeId) => createStoreDelivery(storeId, content, core.newMessageId())),
    status: 'in_progress',
    dispatches: 0,
    unsent: 0,
    recheckAt: undefined,
    checkAt: null,
  };
  core.deliveries.push(delivery);
  core.scheduleDispatch(delivery);
  return true;
}

function patch({ releases }: ModelCore, { release, date }: Action<'patch'>): boolean {
  const { versions } = releases[release]!;
  const before = versions.at(-1)!;
  versions.push({ ...before, ...(date !== undefined && { date }) });
  return true;
}

/** A store that announces what was taken down names the release. */
function answer(core: ModelCore, action: Action<'answer'>): boolean {
  const delivery = core.deliveries[action.delivery]!;
  const storeDelivery = delivery.storeDeliveries.find(({ storeId }) => storeId === action.store)!;
  const { kind } = action.answer;
  const isUnexpected = storeDelivery.state.status === 'taken_down' && kind === 'delivered';
  const messageId = action.isAboutRelease || isUnexpected ? null : storeDelivery.messageId;
  const hasMoved = core.applyAnswers(delivery, [
    { storeDelivery, messageId, answer: action.answer },
  ]);
  // A receipt, and an answer about the release, leave open what the store says to its message.
  if (hasMoved && kind !== 'acknowledged' && messageId !== null) core.discardAnswers(storeDelivery);
  return hasMoved;
}

const chosen = ({ storeDeliveries }: ModelDelivery, stores: readonly string[] | undefined) =>
  storeDeliveries.filter(({ storeId }) => stores?.includes(storeId) ?? true);

function takeDown(core: ModelCore, { delivery: index, stores }: SentAgain): boolean {
  const delivery = core.deliveries[index]!;
  const wanted = chosen(delivery, stores).filter(({ storeId, state }) =>
    canTakeDown(state, supports(storeId, 'takedown')),
  );
  if (wanted.length === 0) return false;
  for (const storeDelivery of wanted)
    core.change(delivery, storeDelivery, applyTakedown(storeDelivery.state));
  core.announceStatusChange(delivery);
  core.dispatchTakedowns(delivery, wanted);
  return true;
}

/** The messages of these stores are sent again. */
function dispatchResent(core: ModelCore, delivery: ModelDelivery): boolean {
  core.announceStatusChange(delivery);
  delivery.dispatches = 0;
  core.scheduleDispatch(delivery);
  return true;
}

function resubmit(core: ModelCore, { delivery: index, stores }: SentAgain): boolean {
  const delivery = core.deliveries[index]!;
  const content = contentOf(core.releases[delivery.release]!);
  const refused = chosen(delivery, stores).filter(
    ({ state }) => canResubmit(state) && state.content.revision !== content.revision,
  );
  if (refused.length === 0) return false;
  for (const storeDelivery of refused)
    core.change(delivery, storeDelivery, applyResubmission(storeDelivery.state, content));
  return dispatchResent(core, delivery);
}

const liveDateMoved = 'live_date_moved The date of a live release cannot move into the future.';

/** Catalogue §1.5: a live release whose date moves into the future is not sent; its update is rejected at once. */
function update(core: ModelCore, { delivery: index, stores }: SentAgain): boolean {
  const delivery = core.deliveries[index]!;
  const release = core.releases[delivery.release]!;
  const content = contentOf(release);
  const start = startOf(release.versions.at(-1)!);
  const isMoved = ({ state }: StoreDelivery): boolean =>
    start > core.now() && start > startOf(release.versions[state.content.revision]!);
  const outdated = chosen(delivery, stores).filter(
    (each) =>
      canUpdate(each.state) &&
      supports(each.storeId, 'update') &&
      !isUnchanged(each, content.revision) &&
      !(isMoved(each) && isUpdateOpen(each.state)),
  );
  if (outdated.length === 0) return false;
  const moved = outdated.filter(isMoved);
  for (const each of outdated) {
    const next = moved.includes(each)
      ? applyRefusedUpdate(each.state, content, liveDateMoved)
      : applyUpdate(each.state, content);
    core.change(delivery, each, next);
  }
  if (moved.length === outdated.length) return true;
  return dispatchResent(core, delivery);
}

/** The store has this revision, or is about to get it. A rejected update may be sent again. */
function isUnchanged({ state }: StoreDelivery, revision: number): boolean {
  if (state.update?.status === 'rejected') return false;
  return (state.update?.revision ?? state.content.revision) === revision;
}
