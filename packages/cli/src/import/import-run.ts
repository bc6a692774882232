/** What the steps of an import share. */

import type { Asset, Tonearm, UploadProgress } from '@tonearm/sdk';
import { type ImportState, writeState } from './import-state.ts';
import type { Plan } from './plan.ts';

type ImportView = {
  readonly progress: (name: string, progress: UploadProgress) => void;
  readonly done: (name: string, asset: Asset) => void;
};

export type ImportRun = {
  readonly client: Tonearm;
  readonly plan: Plan;
  readonly view: ImportView;
  /** Called before a release that exists is changed. Rejects if the answer is no. */
  readonly confirmChange: (releaseId: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly statePath: string;
  readonly isContinued: boolean;
  state: ImportState;
  readonly notes: string[];
};

/** Before the next request is sent, the state is on the disk. */
export function keep(run: ImportRun, change: Partial<ImportState>): void {
  run.state = { ...run.state, ...change };
  writeState(run.statePath, run.state);
}
