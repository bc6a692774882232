import { toWire } from './ids.ts';

/** The organization of what belongs to no partner: stores, and in live the reports and payments of stores. */
export const systemOrgId = toWire('org', '00000000-0000-0000-0000-000000000000');
