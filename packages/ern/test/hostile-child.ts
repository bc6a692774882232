/** Reads every hostile document in a process of its own, whose memory is then known: prints one line of JSON per case. */

import { readXml } from '../src/read/read-xml.ts';
import { XmlRefused } from '../src/read/xml-refused.ts';
import { hostileCases } from './hostile-cases.ts';

const peakMb = () => process.resourceUsage().maxRSS / 1024;

// The engine of the parser itself is not the cost of a document.
readXml('<a/>');

for (const { name, xml } of hostileCases) {
  const document = xml();
  const before = peakMb();
  const start = process.cpuUsage();
  let code = 'read';
  try {
    readXml(document);
  } catch (error) {
    code = error instanceof XmlRefused ? error.code : String(error);
  }
  // Processor time: on a busy machine the clock on the wall measures the neighbours.
  const { user, system } = process.cpuUsage(start);
  const line = { name, code, ms: (user + system) / 1000, grownMb: peakMb() - before };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
