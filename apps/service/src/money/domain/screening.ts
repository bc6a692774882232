import type { Destination, PayoutId } from './payout.ts';

export type ScreeningStage = 'created' | 'cut_off';
export type ScreeningResult = 'clear' | 'review';

/** The payee is the organization of the transaction. */
export type Screened = {
  readonly payoutId: PayoutId;
  readonly destination: Destination;
  readonly stage: ScreeningStage;
  /** 1 for the first time at this stage: a payout can come to its cut-off several times. */
  readonly number: number;
};
