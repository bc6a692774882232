/**
 * Runs the packed package in a context that has nothing but web globals: no process, no Buffer, no require, and no
 * module of Node. Prints what happened as JSON.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createContext, type Module, SourceTextModule } from 'node:vm';
import { chordWave } from '../../../examples/make-files.ts';

const dist = process.env['SDK_DIST'] ?? '';

const context = createContext({
  fetch,
  Headers,
  Request,
  Response,
  URL,
  URLSearchParams,
  Blob,
  ReadableStream,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  crypto,
  atob,
  btoa,
  setTimeout,
  clearTimeout,
  given: {
    apiKey: process.env['TONEARM_API_KEY'],
    baseUrl: process.env['TONEARM_BASE_URL'],
    wave: new Blob([new Uint8Array(chordWave())], { type: 'audio/wav' }),
  },
});

const modules = new Map<string, SourceTextModule>();

function moduleAt(path: string): SourceTextModule {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const made = new SourceTextModule(readFileSync(path, 'utf8'), {
    context,
    identifier: path,
    importModuleDynamically: async (specifier) => opened(resolved(specifier, path)),
  });
  modules.set(path, made);
  return made;
}

function resolved(specifier: string, from: string): string {
  if (specifier === '#file') return join(dist, 'uploads/no-file.js');
  if (!specifier.startsWith('.')) throw new Error(`${from} imports ${specifier}`);
  return join(dirname(from), specifier);
}

async function opened(path: string): Promise<Module> {
  const module = moduleAt(path);
  if (module.status === 'unlinked') {
    await module.link((specifier, from) => moduleAt(resolved(specifier, from.identifier)));
  }
  if (module.status === 'linked') await module.evaluate();
  return module;
}

const script = `
import { Tonearm, verifyWebhook } from './index.js';
const { apiKey, baseUrl, wave } = given;
const tonearm = new Tonearm({ apiKey, baseUrl });
const release = await tonearm.releases.create({
  title: 'Worker', artists: [{ name: 'Aurora Díaz', role: 'main' }], release_date: '2027-01-15',
});
const asset = await tonearm.assets.upload(wave, { type: 'audio', fileName: 'worker.wav' });
const key = 'whsec_' + btoa('0123456789abcdef01234567');
const body = JSON.stringify({ id: 'evt_1', type: 'ping' });
const seconds = String(Math.floor(Date.now() / 1000));
const hmac = await crypto.subtle.importKey(
  'raw', new TextEncoder().encode('0123456789abcdef01234567'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'],
);
const bytes = new TextEncoder().encode('evt_1.' + seconds + '.' + body);
const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', hmac, bytes))));
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': seconds, 'webhook-signature': 'v1,' + signature };
const event = await verifyWebhook(body, headers, key);
const refused = await verifyWebhook(body + ' ', headers, key).catch((error) => error.name);
const path = await tonearm.assets.upload('./01.wav', { type: 'audio' }).catch((error) => error.message);
const leaked = ['process', 'Buffer', 'require', 'global', 'setImmediate'].filter((name) => name in globalThis);
export const result = { leaked, created: release.status, uploaded: asset.status, verified: event.type, refused, path };
`;

const entry = new SourceTextModule(script, { context, identifier: join(dist, 'script.js') });
await entry.link((specifier, from) => moduleAt(resolved(specifier, from.identifier)));
await entry.evaluate();
process.stdout.write(JSON.stringify((entry.namespace as { result: unknown }).result));
