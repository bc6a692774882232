import {
  anonymousPolicy,
  pagePolicy,
  ratePolicyOf,
  sandboxPolicy,
  tokenPolicy,
} from '../../../apps/service/src/identity/domain/rate-policy.ts';
import type { RatePolicy } from '../../../apps/service/src/kernel/rate.ts';
import { tiers } from '../../../apps/service/src/kernel/tier.ts';
import { code, count, table } from './table.ts';

/** Requests per minute and second, by tier. */
export const limitTable = (): string =>
  table(
    ['Tier', 'Requests per minute:', 'Requests per second:'],
    [
      ...tiers.map((tier) => row(code(tier), ratePolicyOf(tier, 'live'))),
      row('Sandbox, every tier', sandboxPolicy),
      row('Without a credential, per address', anonymousPolicy),
      row('Guides and reference, per address', pagePolicy),
      row('`POST /v1/oauth/token`, per address and per client', tokenPolicy),
    ],
  );

function row(who: string, { perMinute, perSecond }: RatePolicy): string[] {
  return [who, count(perMinute), count(perSecond)];
}
