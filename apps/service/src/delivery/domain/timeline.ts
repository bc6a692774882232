/** The history of a delivery: every request and every step of every store. Entries are appended, never changed. */

import type { Actor } from '../../kernel/actor.ts';
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
