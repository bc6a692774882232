/**
 * `npm run bench -- NAME`: the speed of the service as a share of the bare engine, both measured in one run. It
 * prints its progress, then one JSON object, and exits with 1 when its bar is not met. `--start` only checks
 * that it runs; `--small` measures less, in minutes, where a bench has such a size. `--list` prints the names of the
 * benches.
 */

import { benches } from './experiments/kinds.ts';
import { runCommandLine } from './experiments/run.ts';

await runCommandLine(benches);
