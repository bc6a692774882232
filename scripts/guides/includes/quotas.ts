import {
  quotaPolicyOf,
  sandboxQuotas,
} from '../../../apps/service/src/identity/domain/quota-policy.ts';
import { type QuotaName, quotas } from '../../../apps/service/src/kernel/quota.ts';
import { tiers } from '../../../apps/service/src/kernel/tier.ts';
import { code, count, table } from './table.ts';

const gibibyte = 1024 ** 3;

const amount = (name: QuotaName, value: number): string => {
  if (name !== 'stored_bytes') return count(value);
  const gibibytes = value / gibibyte;
  return gibibytes >= 1024 ? `${count(gibibytes / 1024)} TiB` : `${count(gibibytes)} GiB`;
};

/** How much of each an organization may have, by tier. */
export const quotaTable = (): string =>
  table(
    ['Quota', 'At most this many', ...tiers.map((tier) => `${code(tier)}:`), 'Sandbox:'],
    (Object.keys(quotas) as QuotaName[]).map((name) => [
      code(name),
      quotas[name].counts,
      ...tiers.map((tier) => amount(name, quotaPolicyOf(tier, 'live')[name])),
      amount(name, sandboxQuotas[name]),
    ]),
  );
