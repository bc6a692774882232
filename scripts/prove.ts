/**
 * `npm run prove -- NAME [--start|--full]`: a proof of correctness under faults or hostile input. It prints its
 * progress, then one JSON object, and exits with 1 when its bar is not met. `--list` prints the names of the proofs;
 * `--start` runs a proof that takes minutes in less than its usual size.
 */

import { join } from 'node:path';
import { runCommandLine } from './experiments/run.ts';
import { root } from './servers/server.ts';

await runCommandLine({
  name: 'prove',
  folder: join(root, 'apps/service/test/proofs'),
  sizes: { '--start': 'start', '--full': 'full' },
  usualSize: 'small',
});
