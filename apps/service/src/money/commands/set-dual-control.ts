import type { Changed } from '../../kernel/changed.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PayoutSettings } from '../domain/payout-settings.ts';
import { lockPayoutSettings, writeDualControl } from '../store/payout-settings.ts';

/** For operators. Methods that wait for an approval keep waiting when dual control is switched off. */
export async function setDualControl(tx: Tx, isOn: boolean): Promise<Changed<PayoutSettings>> {
  const { settings: before } = await lockPayoutSettings(tx);
  writeDualControl(tx, isOn);
  return { before, after: { ...before, hasDualControl: isOn } };
}
