/** The rail role, of the sandbox only: a scripted bank that payouts are sent to. */

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../kernel/clock.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { openBank } from '../sandbox/connectors/bank.ts';
import { createRailServer } from '../sandbox/connectors/rail-server.ts';
import type { RailConfig } from './config/rail.ts';
import { onShutdown } from './shutdown.ts';

export async function runRail({ host, port, journalFile, logLevel }: RailConfig): Promise<void> {
  const logger = createLogger(logLevel);
  const bank = await openBank(journalFile);
  const server = createRailServer(bank, systemClock);
  server.listen(port, host);
  await once(server, 'listening');
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  logger.info({ url, payments: bank.list().length }, 'paying');
  onShutdown(async () => {
    server.closeAllConnections();
    server.close();
    await bank.close();
  });
}
