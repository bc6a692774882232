/** Loaded before a process (`node --import`): its clock is 40 days ahead. */
const aheadMs = 40 * 86_400_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(RealDate.now() + aheadMs);
    else super(...(given as [string | number]));
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
} as DateConstructor;
