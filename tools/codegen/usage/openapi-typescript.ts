/**
 * What a partner writes with the types of openapi-typescript. It must compile; each line after `@ts-expect-error` is a
 * mistake that the compiler must refuse. A new case is one more constant.
 */

import type { components, paths } from './generated/openapi-typescript/schema.js';

type Schemas = components['schemas'];

export const webhook: Schemas['CreateWebhook'] = {
  url: 'https://partner.example/hooks',
  event_type: ['delivery.completed', 'asset.failed'],
};

export const everything: Schemas['CreateWebhook'] = {
  url: 'https://partner.example/hooks',
  event_type: '*',
};

export const misspelledEventType: Schemas['CreateWebhook'] = {
  url: 'https://partner.example/hooks',
  // @ts-expect-error -- delivery.complete
  event_type: ['delivery.complete'],
};

export function isGone({ error }: Schemas['ApiError']): boolean {
  return error.code === 'resource_not_found';
}

export function isMisspelled({ error }: Schemas['ApiError']): boolean {
  // @ts-expect-error -- resource_not_foud
  return error.code === 'resource_not_foud';
}

type CreateScenario =
  paths['/v1/sandbox/scenarios']['post']['requestBody']['content']['application/json'];

export const rejection: CreateScenario = {
  store_id: 'aurora',
  steps: [
    { action: 'reject', code: 'rights_conflict', after: '2h' },
    { action: 'confirm', then: [{ action: 'flag', after: '30d' }] },
  ],
};

export const rejectionWithoutCode: CreateScenario = {
  // @ts-expect-error -- reject needs a code
  steps: [{ action: 'reject', after: '2h' }],
};

export const byDuration: Schemas['AdvanceClock'] = { by: '3d' };
// @ts-expect-error -- by or to
export const byNothing: Schemas['AdvanceClock'] = {};

/** Answers are open: a client must be able to read fields that it does not know (spec §9.2). */
export const newerTerritory: Schemas['Territory'] & { continent: string } = {
  territory_code: 'DE',
  name: 'Germany',
  stores: ['aurora'],
  continent: 'Europe',
};

/** The type of an event decides the fields of its data. */
export function rejectedStore(event: Schemas['WebhookEvent']): string | undefined {
  if (event.type !== 'delivery.store.updated') return undefined;
  // @ts-expect-error -- previus_status
  const misspelled = event.data.previus_status;
  return event.data.previous_status === 'in_progress' ? event.data.store.store_id : misspelled;
}

export function isMisspelledEvent(event: Schemas['WebhookEvent']): boolean {
  // @ts-expect-error -- asset.redy
  return event.type === 'asset.redy';
}
