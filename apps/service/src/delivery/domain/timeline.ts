/** The history of a delivery: every request and every step of every store. Entries are appended, never changed. */

import type { Actor } from '../../kernel/actor.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import {
  type StoreStep,
  type StoreStepType,
  storeStepTypes,
  type StoreDelivery,
} from './store-delivery.ts';

/** Requests of partners and operators; one entry covers several stores. */
const requestTypes = ['created', 'resubmission', 'update', 'takedown'] as const;
type RequestType = (typeof requestTypes)[number];

export const timelineEntryTypes = [...requestTypes, ...storeStepTypes] as const;

/** A field of the release that differs between the store's revision and the revision it is sent. */
export type FieldChange = {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
};

/** A store that a request does not apply to, and why. */
export type SkippedStore = { readonly store_id: string; readonly reason: string };

type RequestEntry = {
  readonly type: RequestType;
  readonly storeId: null;
  readonly data: {
    readonly stores: readonly string[];
    readonly revision: number;
    readonly actor: Actor;
    readonly reason?: string | undefined;
    /** The revision that these stores have, with which `changes` compares. */
    readonly changed_since?: number | undefined;
    readonly changes?: readonly FieldChange[] | undefined;
    /** The requested territories of an update. */
    readonly territory_codes?: readonly TerritoryCode[] | undefined;
    /** Stores that the request named, or meant, and does not apply to. */
    readonly skipped?: readonly SkippedStore[] | undefined;
  };
};

type StepEntry = {
  readonly type: StoreStepType;
  readonly storeId: string;
  readonly data: {
    readonly previous_status: string;
    readonly status: string;
    readonly revision: number;
    readonly message_id: string;
    readonly rejection_code?: string;
    readonly rejection_reason?: string;
    readonly waiting_for?: string;
    readonly live_basis?: string;
    readonly taken_down_by?: string;
  };
};

export type TimelineEntry = RequestEntry | StepEntry;

export const buildRequestEntry = (type: RequestType, data: RequestEntry['data']): RequestEntry => ({
  type,
  storeId: null,
  data,
});

const updateSteps: ReadonlySet<StoreStepType> = new Set(['update_refused', 'update_flagged']);

/** A refused update is not the store's own rejection. */
const rejectionOf = (type: StoreStepType, { update, rejection }: StoreDelivery) => {
  const shown = updateSteps.has(type) ? update?.rejection : rejection;
  return shown && { rejection_code: shown.code, rejection_reason: shown.reason };
};

export const buildStepEntry = (
  before: StoreDelivery,
  { type, storeDelivery }: StoreStep,
): StepEntry => ({
  type,
  storeId: storeDelivery.storeId,
  data: {
    previous_status: before.status,
    status: storeDelivery.status,
    revision: storeDelivery.update?.revision ?? storeDelivery.revision,
    message_id: storeDelivery.message.id,
    ...rejectionOf(type, storeDelivery),
    ...(storeDelivery.waitingFor !== null && { waiting_for: storeDelivery.waitingFor }),
    ...(storeDelivery.liveBasis !== null && { live_basis: storeDelivery.liveBasis }),
    ...(storeDelivery.takenDownBy !== null && { taken_down_by: storeDelivery.takenDownBy }),
  },
});
