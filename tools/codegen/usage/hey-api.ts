/**
 * What a partner writes with the client of hey-api. It must compile; each line after `@ts-expect-error` is a mistake that
 * the compiler must refuse. A new case is one more call or constant.
 */

import {
  advanceSandboxClock,
  createScenario,
  getRelease,
  createWebhook,
  type WebhookEvent,
} from './generated/hey-api/index.js';

const url = 'https://partner.example/hooks';

export const webhook = () =>
  createWebhook({ body: { url, event_type: ['delivery.completed', 'asset.failed'] } });

export const everything = () => createWebhook({ body: { url, event_type: '*' } });

export const misspelledEventType = () =>
  // @ts-expect-error -- delivery.complete
  createWebhook({ body: { url, event_type: ['delivery.complete'] } });

export async function titleOf(release_id: string): Promise<string | undefined> {
  const { data, error } = await getRelease({ path: { release_id } });
  if (error?.error.code === 'resource_not_found') return undefined;
  return data?.title;
}

export async function isMisspelled(release_id: string): Promise<boolean> {
  const { error } = await getRelease({ path: { release_id } });
  // @ts-expect-error -- resource_not_foud
  return error?.error.code === 'resource_not_foud';
}

export const rejection = () =>
  createScenario({
    body: {
      store_id: 'aurora',
      steps: [
        { action: 'reject', code: 'rights_conflict', after: '2h' },
        { action: 'confirm', then: [{ action: 'flag', after: '30d' }] },
      ],
    },
  });

export const rejectionWithoutCode = () =>
  // @ts-expect-error -- reject needs a code
  createScenario({ body: { steps: [{ action: 'reject', after: '2h' }] } });

export const byDuration = () => advanceSandboxClock({ body: { by: '3d' } });
// @ts-expect-error -- by or to
export const byNothing = () => advanceSandboxClock({ body: {} });

/** The type of an event decides the fields of its data. */
export function rejectedStore(event: WebhookEvent): string | undefined {
  if (event.type !== 'delivery.store.updated') return undefined;
  // @ts-expect-error -- previus_status
  const misspelled = event.data.previus_status;
  return event.data.previous_status === 'in_progress' ? event.data.store.store_id : misspelled;
}

export function isMisspelledEvent(event: WebhookEvent): boolean {
  // @ts-expect-error -- asset.redy
  return event.type === 'asset.redy';
}
