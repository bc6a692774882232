/** Reads one wide document in a process of its own: prints how far the memory of the process grew, and the time. */

import { readMessage } from '../src/index.ts';
import { wideCases } from './wide-cases.ts';

const peakMb = () => process.resourceUsage().maxRSS / 1024;

const document = wideCases[process.argv[2] ?? '']?.() ?? '';
// The parser itself and the code are not the cost of a document.
readMessage('<a/>');
const before = peakMb();
const start = process.cpuUsage();
const { version } = readMessage(document);
const { user, system } = process.cpuUsage(start);
process.stdout.write(
  JSON.stringify({ version, ms: (user + system) / 1000, grownMb: peakMb() - before }),
);
