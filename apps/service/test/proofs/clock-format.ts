/** A store delivery as one line of text, from the model and from the api: the two lines are compared. */

import { codeIn, type StoreDelivery } from './clock-store-delivery.ts';
import { isUpdateOpen, type StoreDelivery as State } from './deliveries-model.ts';

type Json = Record<string, unknown>;

type Fields = {
  readonly status: string;
  readonly revision: number;
  readonly pendingRevision: number | null;
  readonly code: string | null;
  readonly update: { readonly status: string; readonly code: string | null } | null;
  readonly liveBasis: string | null;
  readonly takenDownBy: string | null;
  readonly isTakedownRequested: boolean;
  readonly isAcknowledged: boolean;
};

const formatFields = (fields: Fields): string =>
  [
    fields.status,
    fields.revision,
    fields.pendingRevision ?? '-',
    fields.code ?? '-',
    fields.update === null ? '-' : `${fields.update.status}:${fields.update.code ?? '-'}`,
    fields.liveBasis ?? '-',
    fields.takenDownBy ?? '-',
    fields.isTakedownRequested ? 'takedown' : '-',
    fields.isAcknowledged ? 'receipt' : '-',
  ].join(' ');

export const formatState = (state: State): string =>
  formatFields({
    status: state.status,
    revision: state.content.revision,
    pendingRevision: isUpdateOpen(state) ? (state.update?.revision ?? null) : null,
    code: codeIn(state.reason),
    update: state.update && { status: state.update.status, code: codeIn(state.update.reason) },
    liveBasis: state.liveBasis,
    takenDownBy: state.takenDownBy,
    isTakedownRequested: state.isTakedownRequested,
    isAcknowledged: state.isAcknowledged,
  });

/** `base` is the submitted revision: the model counts from it. */
export function formatApiStore(store: Json, base: number): string {
  const update = store['update'] as Json | null;
  const pending = store['pending_revision'] as number | null;
  return formatFields({
    status: store['status'] as string,
    revision: (store['revision'] as number) - base,
    pendingRevision: pending === null ? null : pending - base,
    code: store['rejection_code'] as string | null,
    update: update && {
      status: update['status'] as string,
      code: update['rejection_code'] as string | null,
    },
    liveBasis: store['live_basis'] as string | null,
    takenDownBy: store['taken_down_by'] as string | null,
    isTakedownRequested: store['takedown_requested_at'] !== null,
    isAcknowledged: store['acknowledged_at'] !== null,
  });
}

const timeOf = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString());

export const formatTimes = ({ liveAt, expectedBy, acknowledgedAt }: StoreDelivery): string =>
  [liveAt, expectedBy, acknowledgedAt].map(timeOf).join(' ');

export const formatApiTimes = (store: Json): string =>
  ['live_at', 'expected_by', 'acknowledged_at']
    .map((field) => (store[field] as string | null) ?? '-')
    .join(' ');
