/** Messages to the engine: which handler of the sandbox runs, on which key. */

import type { OrgId } from '../kernel/ids.ts';
import { entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { SandboxReportId } from './domain/sandbox-report.ts';

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

/** Reports of fictional stores, and months that the clock closes: one after the other for each organization. */
export const royaltyService = 'sandbox-royalties';

/** The report arrives: it is made, read and paid. */
export const receiveReport = (orgId: OrgId, id: SandboxReportId): EngineMessage => ({
  service: royaltyService,
  key: orgId,
  handler: 'receive',
  entityRef: entityRefOf(orgId, id),
});

export const closeMonth = (orgId: OrgId): EngineMessage => ({
  service: royaltyService,
  key: orgId,
  handler: 'close',
});

/** Does nothing, after what runs for the organization has ended. */
export const awaitRoyaltyWork = (orgId: OrgId): EngineMessage => ({
  service: royaltyService,
  key: orgId,
  handler: 'idle',
});
