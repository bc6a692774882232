/** Dual control of payout methods, and the rates of payouts in another currency. */

import { requireOrganization } from '../../identity/commands/provision.ts';
import { formatFxRate } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import { setDualControl } from '../../money/commands/set-dual-control.ts';
import { sandboxFxRates } from '../../money/domain/sandbox-fx-rates.ts';
import { findFxRate, writeFxRate } from '../../money/store/fx-rates.ts';
import { command, type Commands, ofOrganization, ofPlatform } from './command.ts';
import { currency, fxRate, onOff, orgFlag } from './flag-types.ts';
import { required, UsageError } from './flag.ts';

const rateFlag = required(fxRate);

export const payoutSettingCommands: Commands = {
  'payouts dual-control': command({
    summary: 'set whether a second credential must approve new payout methods',
    flags: { org: orgFlag, switch: required(onOff) },
    orgOf: ofOrganization,
    run: async (tx, { switch: isOn }) => {
      await requireOrganization(tx);
      const { before, after } = await setDualControl(tx, isOn);
      return {
        auditedId: tx.orgId,
        shown: { org_id: tx.orgId, dual_control: after.hasDualControl },
        before: { org_id: tx.orgId, dual_control: before.hasDualControl },
      };
    },
  }),
  'fx set': command({
    summary: 'set the rate of payouts whose method has another currency',
    flags: { from: required(currency), to: required(currency), rate: rateFlag },
    orgOf: ofPlatform,
    run: async (tx, { from, to, rate }) => {
      if (from === to) throw new UsageError('--from and --to must be two currencies.');
      const before = await findFxRate(tx, from, to);
      writeFxRate(tx, { from, to, rate });
      return {
        auditedId: `${from}:${to}`,
        shown: { from, to, rate: formatFxRate(rate) },
        before: before && { from, to, rate: formatFxRate(before) },
      };
    },
  }),
  'fx seed': command({
    summary: "set the sandbox's fictional rates of payouts",
    flags: {},
    orgOf: ofPlatform,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional rates exist only in the sandbox.');
      }
      for (const { from, to, rate } of sandboxFxRates) {
        writeFxRate(tx, { from, to, rate: rateFlag.read([rate], 'rate') });
      }
      return { auditedId: 'fx_rates', shown: { rates: sandboxFxRates } };
    },
  }),
};
