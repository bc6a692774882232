/** A Model Context Protocol server over standard input and output. Logs go to standard error alone. */

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { AssetFailedError, Tonearm, version, WaitTimeoutError } from '@tonearm/sdk';
import type { McpConnection, McpFlags } from './command.ts';
import { openFolder } from './files.ts';
import { createGuideReader } from './guides.ts';
import type { HelperDeps } from './helper-tools.ts';
import { redactText } from './redact.ts';
import { ToolRefusal } from './refusal.ts';
import { createMcpServer } from './server.ts';
import type { CallApi } from './tool.ts';

const callApi =
  (tonearm: Tonearm): CallApi =>
  ({ method, path, ...options }) =>
    tonearm.request(method as 'GET', path, options);

const upload =
  (tonearm: Tonearm): HelperDeps['upload'] =>
  async (path, { type, signal, onProgress }) => {
    try {
      return await tonearm.assets.upload(path, {
        type: type as 'audio',
        signal,
        onProgress: ({ sentBytes, totalBytes }) => onProgress(sentBytes, totalBytes, 'uploading'),
      });
    } catch (error) {
      if (!(error instanceof AssetFailedError)) throw error;
      throw new ToolRefusal({
        code: 'asset_failed',
        message: error.message,
        cure: 'Ask your user for a corrected file, and upload that.',
      });
    }
  };

const waitForDelivery =
  (tonearm: Tonearm): HelperDeps['waitForDelivery'] =>
  async (id, { timeoutMs, signal, onProgress }) => {
    try {
      const delivery = await tonearm.deliveries.waitFor(id, {
        timeoutMs,
        signal,
        onProgress: ({ stores, status }) => {
          const finished = stores.filter((store) => store.status === 'delivered').length;
          onProgress(finished, stores.length, status);
        },
      });
      return { delivery, isFinished: true };
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      return { delivery: await tonearm.deliveries.get(id, { signal }), isFinished: false };
    }
  };

/** `ta_live_…` is a key of the live environment. An OAuth token does not say. */
const placeOf = (apiKey: string): string =>
  apiKey.startsWith('ta_live_') ? 'LIVE environment' : 'sandbox';

const log = (line: string): void => {
  process.stderr.write(`tonearm mcp: ${redactText(line)}\n`);
};

/** Resolves when the client has gone. */
async function serveUntilClosed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(server, { onclose: resolve, onerror: (error: Error) => log(error.message) });
  const close = () => void server.close();
  // The transport does not watch for the end of its input: without this, the server would outlive its client.
  process.stdin.once('end', close).once('close', close);
  process.once('SIGINT', close).once('SIGTERM', close);
  await server.connect(new StdioServerTransport());
  await promise;
}

export async function serveMcp(flags: McpFlags, connection: McpConnection): Promise<void> {
  const tonearm = new Tonearm({ ...connection, userAgent: `tonearm-mcp/${version}` });
  const place = placeOf(connection.apiKey);
  const server = createMcpServer({
    version,
    log,
    place,
    allowWrites: flags.allowWrites === true,
    groups: flags.tools?.split(',').map((group) => group.trim()),
    call: callApi(tonearm),
    guides: createGuideReader(tonearm.baseUrl),
    folder: flags.files === undefined ? undefined : openFolder(flags.files),
    upload: upload(tonearm),
    waitForDelivery: waitForDelivery(tonearm),
  });
  const mode = flags.allowWrites === true ? 'with writes' : 'read-only';
  log(`serving the ${place} at ${tonearm.baseUrl}, ${mode}`);
  await serveUntilClosed(server);
}
