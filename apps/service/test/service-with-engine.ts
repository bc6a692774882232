/**
 * For tests and proofs of the engine: starts a test service and its own Restate server, which signs its calls, on the
 * three ports from `basePort`. `serve` registers handlers that run in this process.
 */

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
import { openTestService, type TestServiceOptions } from './test-service.ts';

/** Restate's spelling of a public key: base58 of its 32 bytes. */
function encodeIdentityKey(publicKey: KeyObject): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = alphabet.charAt(Number(value % 58n)) + text;
  // Base58 drops leading zero bytes; each is written as a 1.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `publickeyv1_${alphabet.charAt(0).repeat(zeros)}${text}`;
}

export async function openServiceWithEngine(basePort: number, options: TestServiceOptions = {}) {
  const firstPort = basePort + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const service = await openTestService({ hasRealTime: true, ...options });
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
  // A test that fails does not close its engine, and the next test would find the ports taken.
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
    /** Prometheus metrics of the engine. */
    metricsUrl: `http://127.0.0.1:${firstPort + 2}/metrics`,
    identityKey,
    /** Serves workflows from this process, under a URL with the version in it. */
    serve: async (workflows: readonly Workflow[], version: string) => {
      const logger = createLogger('silent');
      const endpoint = createEndpoint({
        db: service.workerDb,
        workflows,
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
      /** Behaves like a killed process: the port is closed and running invocations are cut off. */
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
