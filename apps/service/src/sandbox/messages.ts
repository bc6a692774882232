/** Messages to the engine: which handler of the sandbox runs, on which key. */
import type { OrgId } from '../kernel/ids.ts';
import type { Message } from '../platform/engine/outbox.ts';

export const clockService = 'sandbox-clocks';

export const moveClock = (orgId: OrgId): Message => ({
  service: clockService,
  key: orgId,
  handler: 'advance',
});

export const catalogueService = 'sandbox-catalogues';

export const resetCatalogue = (orgId: OrgId): Message => ({
  service: catalogueService,
  key: orgId,
  handler: 'reset',
});
