/** The receiver behind every endpoint of the bench: answers at once and records when each event arrived. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export async function openBenchReceiver() {
  /** By endpoint and mark. */
  const firstAt = new Map<string, number>();
  const counts = { repeated: 0 };
  const server = createServer((request, response) => {
    const at = performance.now();
    void (async () => {
      const { data } = (await json(request)) as { data: { mark?: string } };
      response.end();
      // Pings and bare requests have no mark.
      if (data.mark === undefined) return;
      const key = `${request.url} ${data.mark}`;
      if (firstAt.has(key)) counts.repeated++;
      else firstAt.set(key, at);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received: () => firstAt.size,
    repeated: () => counts.repeated,
    /** When the headers of this event arrived; undefined if they did not. */
    receivedAt: (path: string, mark: string) => firstAt.get(`${path} ${mark}`),
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
