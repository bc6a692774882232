/** A world with its own engine: Restate on ports of its own, signing its calls, and handlers that record. */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { restate } from '../../../scripts/servers/restate.ts';
import { killDaemon } from '../../../scripts/servers/server.ts';
import { createEndpoint, registerDeployment } from '../src/platform/engine/endpoint.ts';
import type { Workflow } from '../src/platform/engine/workflow.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { openTestService } from './test-service.ts';

/** Restate's spelling of a public key: base58 of its 32 bytes. */
function encodeIdentityKey(publicKey: KeyObject): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text;
  // A byte of zeros in front is a 1 each, as the digits do not tell.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `publickeyv1_${alphabet.charAt(0).repeat(zeros)}${text}`;
}

export async function openServiceWithEngine(basePort: number) {
  const firstPort = basePort + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const service = await openTestService();
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-engine-'));
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const identityKeyFile = join(folder, 'identity.pem');
  writeFileSync(identityKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const identityKey = encodeIdentityKey(publicKey);
  const engineFolder = join(folder, 'restate');
  const engine = restate({
    folder: engineFolder,
    ingressPort: firstPort,
    adminPort: firstPort + 1,
    nodePort: firstPort + 2,
    identityKeyFile,
  });
  // Whoever fails does not get to close; the next would find its ports taken.
  process.once('exit', () => killDaemon(engineFolder));
  await engine.start();
  const urls = {
    ingressUrl: `http://127.0.0.1:${firstPort}`,
    adminUrl: `http://127.0.0.1:${firstPort + 1}`,
  };
  const closers: (() => Promise<unknown>)[] = [];

  return {
    service,
    engine,
    engineFolder,
    urls,
    identityKey,
    /** Serves work from this process, under a version's own address. */
    serve: async (works: readonly Workflow[], version: string) => {
      const logger = createLogger('silent');
      const endpoint = createEndpoint({
        db: service.workerDb,
        workflows: works,
        version,
        identityKeys: [identityKey],
        stepsAtOnce: 8,
        logger,
      });
      endpoint.listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const { port } = endpoint.address() as AddressInfo;
      const uri = `http://127.0.0.1:${port}/${version}`;
      const register = () => registerDeployment(urls.adminUrl, uri);
      await register();
      const sessions = new Set<ServerHttp2Session>();
      endpoint.on('session', (session) => sessions.add(session));
      closers.push(async () => endpoint.close());
      /** As killed: nobody listens there any more, and what was running is cut. */
      const crash = async () => {
        endpoint.close();
        for (const session of sessions) session.destroy();
      };
      return { uri, register, crash };
    },
    close: async () => {
      await Promise.all(closers.map((close) => close()));
      await engine.stop();
      rmSync(folder, { recursive: true, force: true });
      await service.close();
    },
  };
}
