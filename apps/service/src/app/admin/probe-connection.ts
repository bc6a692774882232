/** The command `stores test`: whether the settings of a store let us write, read and remove a file. */

import { hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Problem } from '../../kernel/problem.ts';
import { openTransport, type TransportSettings } from '../../platform/transport/open-transport.ts';

const timeoutMs = 60_000;
const acknowledgementsCountedMax = 1_000;

/** Returns how many acknowledgements wait there. The probe has a name that no store takes for a batch. */
export async function probeConnection(
  settings: TransportSettings,
  folder: string,
): Promise<number> {
  const bytes = Buffer.from(`Tonearm tests this connection: ${randomUUID()}\n`);
  const name = `tonearm-probe-${randomUUID()}.txt`;
  const transport = await openTransport(settings, AbortSignal.timeout(timeoutMs));
  try {
    await transport.put(name, {
      open: async () => Readable.from([bytes]),
      sizeBytes: bytes.length,
      sha256: hash('sha256', bytes),
    });
    const found = await transport.read(name, bytes.length);
    await transport.remove(name);
    if (!found.equals(bytes)) throw new Problem('invalid_state', 'The store returned other bytes.');
    return (await transport.list(folder, acknowledgementsCountedMax)).length;
  } finally {
    await transport.close();
  }
}
