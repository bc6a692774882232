/** Mutants that no test can find, because they do the same as the source. */

export type EquivalentMutant = {
  readonly file: string;
  /** The changed line, without indentation. */
  readonly after: string;
  readonly why: string;
};

const requestExists = 'a takedown that is requested always has its request';

export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    file: 'apply-answer.ts',
    after: "const by = storeDelivery.takedown?.by ?? 'operator';",
    why: 'what is unexpectedly live has a request, which queueTakedown keeps',
  },
  {
    file: 'apply-answer.ts',
    after: "const by = storeDelivery.takedown?.by && 'partner';",
    why: 'what is unexpectedly live has a request, which queueTakedown keeps',
  },
  {
    file: 'apply-to-takedown.ts',
    after: "? takenDown(storeDelivery, now, storeDelivery.takedown?.by ?? 'operator')",
    why: requestExists,
  },
  { file: 'infer.ts', after: "takenDownBy: takedown?.by ?? 'operator',", why: requestExists },
  {
    file: 'deadlines.ts',
    after: 'return afterStart >= byLeadTime ? afterStart : byLeadTime;',
    why: 'two equal times',
  },
  {
    file: 'infer.ts',
    after: 'expectedBy !== null && acknowledgedAt !== null && acknowledgedAt >= expectedBy',
    why: 'two equal times',
  },
];
