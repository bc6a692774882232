/**
 * A proof or a bench: what it compares, the bar its figures must reach, and the run that measures them. Each is one
 * file, `NAME.experiment.ts`, that exports `experiment`.
 */

import type { Fleet } from '../servers/fleet.ts';
import type { Bar, Figures } from './verdict.ts';

/** Proofs are `small` in `.ci/run` and `full` by hand; benches only `start` in `.ci/run`. */
export type Size = 'start' | 'small' | 'full';

export type Lab = {
  readonly size: Size;
  readonly fleet: Fleet;
  /** Prints a progress line to standard error. */
  readonly say: (line: string) => void;
};

export type Experiment = {
  readonly compares: string;
  readonly bar: (size: Size) => Bar;
  readonly run: (lab: Lab) => Promise<Figures>;
};
