import type { Tx } from '../../platform/db/database.ts';
import type { Screening } from '../connectors/screening.ts';
import type { Payout } from '../domain/payout.ts';
import type { ScreeningResult, ScreeningStage } from '../domain/screening.ts';
import { countScreenings, insertScreening } from '../store/payout-screenings.ts';

/** Screens the payee and the destination, and records the result. The row of the payout exists, and is locked. */
export async function screenPayout(
  tx: Tx,
  screen: Screening,
  { id: payoutId, destination }: Pick<Payout, 'id' | 'destination'>,
  stage: ScreeningStage,
): Promise<ScreeningResult> {
  const number = 1 + (await countScreenings(tx, { payoutId, stage }));
  const screened = { payoutId, destination, stage, number };
  const result = await screen(tx, screened);
  insertScreening(tx, screened, result);
  return result;
}
