/**
 * `npm run bench -- NAME`: a speed as a share of the bare engine, measured side by side in one run. It
 * prints its progress, then one JSON object, and ends with 1 when its bar is not met. `--start` only
 * shows that it still runs. `--list` names the benches.
 */

import { join } from 'node:path';
import { runCommandLine } from './experiments/run.ts';
import { root } from './servers/server.ts';

await runCommandLine({
  name: 'bench',
  folder: join(root, 'bench'),
  sizes: { '--start': 'start' },
  usualSize: 'full',
});
