/** Dual control of payout methods, and the rates of payouts in another currency. */

import { requireOrganization } from '../../identity/commands/provision.ts';
import { formatFxRate, parseFxRate } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { setDualControl } from '../../money/commands/set-dual-control.ts';
import { sandboxFxRates } from '../../money/domain/sandbox-fx-rates.ts';
import { findFxRate, type FxRateSetting, writeFxRate } from '../../money/store/fx-rates.ts';
import { type Commands, type Flags, oneOf, orgId, required, UsageError } from './command.ts';
import { currencyOf } from './money-flags.ts';

export const payoutSettingCommands: Commands = {
  'payouts dual-control': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      await requireOrganization(tx);
      const isOn = oneOf(flags, 'switch', ['on', 'off']) === 'on';
      const { before, after } = await setDualControl(tx, isOn);
      return {
        auditedId: tx.orgId,
        shown: { org_id: tx.orgId, dual_control: after.hasDualControl },
        before: { org_id: tx.orgId, dual_control: before.hasDualControl },
      };
    },
  },
  'fx set': {
    orgOf: () => systemOrgId,
    run: async (tx, flags) => {
      const setting = settingOf(flags);
      const { from, to, rate } = setting;
      const before = await findFxRate(tx, from, to);
      writeFxRate(tx, setting);
      return {
        auditedId: `${from}:${to}`,
        shown: { from, to, rate: formatFxRate(rate) },
        before: before && { from, to, rate: formatFxRate(before) },
      };
    },
  },
  'fx seed': {
    orgOf: () => systemOrgId,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional rates exist only in the sandbox.');
      }
      const rates = sandboxFxRates.map(settingOf);
      for (const rate of rates) writeFxRate(tx, rate);
      return { auditedId: 'fx_rates', shown: { rates: sandboxFxRates } };
    },
  },
};

function settingOf(flags: Flags): FxRateSetting {
  const [from, to] = [currencyOf(flags, 'from'), currencyOf(flags, 'to')];
  if (from === to) throw new UsageError('--from and --to must be two currencies.');
  const rate = parseFxRate(required(flags, 'rate'));
  if (rate === undefined) {
    throw new UsageError('--rate must be a decimal above zero such as 0.92.');
  }
  return { from, to, rate };
}
