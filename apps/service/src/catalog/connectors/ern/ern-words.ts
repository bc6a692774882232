/** Words of DDEX in our words. Undefined: we have none. */

import type { AiUse, ParentalWarning, RightsClaimPolicy } from '@tonearm/ern';
import { contributorRoleEntries, type ContributorRole } from '../../domain/contributor-roles.ts';
import { instruments } from '../../domain/instruments.ts';

const roles = new Map(contributorRoleEntries.map(({ role, ddexRole }) => [ddexRole, role]));
export const roleOf = (ddexRole: string): ContributorRole | undefined => roles.get(ddexRole);

const instrumentNames = new Map(
  instruments.map(({ instrument, ddexInstrument }) => [ddexInstrument, instrument]),
);
export const instrumentOf = (ddexInstrument: string): string | undefined =>
  instrumentNames.get(ddexInstrument);

const explicitMarks: Readonly<Partial<Record<ParentalWarning, string>>> = {
  Explicit: 'explicit',
  ExplicitContentEdited: 'clean',
  NotExplicit: 'none',
};
export const explicitOf = (warning: ParentalWarning): string | null =>
  explicitMarks[warning] ?? null;

const aiUses = { None: 'none', Partly: 'partly', All: 'all' } as const;
export const aiUseOf = (use: AiUse | undefined): string | null =>
  use === undefined ? null : aiUses[use];

const ugcPolicies = { Monetize: 'monetize', ReportUsage: 'track', BlockAccess: 'block' } as const;
export const ugcPolicyOf = (policy: RightsClaimPolicy | undefined): string | null =>
  policy === undefined ? null : ugcPolicies[policy];

/** A map: the word is the partner's, and an object would also know `constructor`. */
const releaseTypes = new Map([
  ['Single', 'single'],
  ['EP', 'ep'],
  ['Album', 'album'],
]);
/** Null: stores decide by the tracks. */
export const releaseTypeOf = (type: string, isCompilation: boolean): string | null =>
  isCompilation ? 'compilation' : (releaseTypes.get(type) ?? null);
