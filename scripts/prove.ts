/**
 * `npm run prove -- NAME [--start|--full]`: a proof of correctness under faults and hostility. It prints its
 * progress, then one JSON object, and ends with 1 when its bar is not met. `--list` names the proofs;
 * `--start` is less than the usual size where that takes long.
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
