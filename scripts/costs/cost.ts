export type Cost = { readonly processorMs: number; readonly wallMs: number };

export const noCost: Cost = { processorMs: 0, wallMs: 0 };

/** What one process of `npm test` used: before its first test, and for each file, with what of it was set-up. */
export type FileCosts = {
  readonly loading: Cost;
  readonly files: Readonly<Record<string, { readonly all: Cost; readonly setUp: Cost }>>;
};
