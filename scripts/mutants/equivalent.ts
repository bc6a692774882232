/** Mutants that no test can find, because they do the same as the source. */

export type EquivalentMutant = {
  readonly file: string;
  /** The changed line, without indentation. */
  readonly after: string;
  readonly why: string;
};

export const equivalentMutants: readonly EquivalentMutant[] = [];
