/**
 * `npm run prove -- NAME [--start|--full]`: a proof of correctness under faults or hostile input. It prints its
 * progress, then one JSON object, and exits with 1 when its bar is not met. `--list` prints the names of the proofs;
 * `--start` runs a proof that takes minutes in less than its usual size.
 */

import { proofs } from './experiments/kinds.ts';
import { runCommandLine } from './experiments/run.ts';

await runCommandLine(proofs);
