/** Messages to the engine: which handler of the sandbox runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';

export const clockService = 'sandbox-clocks';

export const runClockAdvance = (orgId: OrgId): EngineMessage => ({
  service: clockService,
  key: orgId,
  handler: 'advance',
});

export const catalogueService = 'sandbox-catalogues';

export const runCatalogueReset = (orgId: OrgId): EngineMessage => ({
  service: catalogueService,
  key: orgId,
  handler: 'reset',
});
