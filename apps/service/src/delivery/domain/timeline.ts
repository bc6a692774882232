/** The history of a delivery: what was asked for, and every step of every store. Appended, never changed. */

import type { Actor } from '../../kernel/actor.ts';
import {
  type StoreStep,
  type StoreStepType,
  storeStepTypes,
  type StoreDelivery,
} from './store-delivery.ts';

/** What partners and operators ask for, about several stores at once. */
const requestTypes = ['created', 'resubmission', 'update', 'takedown'] as const;
type RequestType = (typeof requestTypes)[number];

export const timelineEntryTypes = [...requestTypes, ...storeStepTypes] as const;

/** What of the release differs between what a store has and what it is sent now. */
export type FieldChange = {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
};

type RequestEntry = {
  readonly type: RequestType;
  readonly storeId: null;
  readonly data: {
    readonly stores: readonly string[];
    readonly revision: number;
    readonly actor: Actor;
    readonly reason?: string | undefined;
    /** Against this revision, which those stores have. */
    readonly changed_since?: number | undefined;
    readonly changes?: readonly FieldChange[] | undefined;
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
    readonly rejection_code?: string | null;
    readonly rejection_reason?: string;
  };
};

export type TimelineEntry = RequestEntry | StepEntry;

export const buildRequestEntry = (type: RequestType, data: RequestEntry['data']): RequestEntry => ({
  type,
  storeId: null,
  data,
});

export const buildStepEntry = (
  before: StoreDelivery,
  { type, storeDelivery }: StoreStep,
): StepEntry => ({
  type,
  storeId: storeDelivery.storeId,
  data: {
    previous_status: before.status,
    status: storeDelivery.status,
    revision: storeDelivery.pendingRevision ?? storeDelivery.revision,
    message_id: storeDelivery.message.id,
    ...(storeDelivery.rejection !== null && {
      rejection_code: storeDelivery.rejection.code,
      rejection_reason: storeDelivery.rejection.reason,
    }),
  },
});
