/**
 * Compares, for contract §6, the addresses that guarded requests connect to with those they may: no URL of a partner,
 * no answer of the partner's name server and no redirect of its receiver may lead to an address that is not public. The
 * guarded code runs in its own network namespace (`ssrf-inside.ts`) with a real name server; every other address is a
 * canary.
 *
 * The bar: no canary hit, every hostile URL, rebinding and redirect refused, every public address reached, also by
 * connections that are kept while their name becomes hostile; without a
 * guard the same URLs must hit the canary. It fails when one spelling of an address passes the guard, when a public
 * address is refused, or when the machine does not permit network namespaces.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';

const small = { urls: 4_000, rebindings: 3_000, redirects: 500, withoutGuard: 1_500 };
const sizes: Record<Size, typeof small> = {
  start: small,
  small,
  full: { urls: 40_000, rebindings: 30_000, redirects: 5_000, withoutGuard: 25_000 },
};
const limitMs: Record<Size, number> = { start: 120_000, small: 120_000, full: 1_200_000 };

export const experiment: Experiment = {
  compares:
    'the addresses that guarded requests connect to, against those they may, with all others as canaries',
  bar: (size) => ({
    interfaces: { equals: 1 },
    hits_without_guard: { atLeast: sizes[size].withoutGuard },
    urls: { atLeast: sizes[size].urls },
    urls_passed: { equals: 0 },
    urls_not_refused: { equals: 0 },
    allowed: { atLeast: 200 },
    allowed_wrong: { equals: 0 },
    rebinding_tries: { atLeast: sizes[size].rebindings },
    rebinding_reached: { atLeast: sizes[size].rebindings / 10 },
    rebinding_wrong: { equals: 0 },
    kept_connections_reached: { atLeast: 300 },
    kept_connections_wrong: { equals: 0 },
    redirects: { atLeast: sizes[size].redirects },
    redirects_wrong: { equals: 0 },
    loopback_tries: { atLeast: 500 },
    loopback_wrong: { equals: 0 },
    canary_hits: { equals: 0 },
  }),
  run: async ({ size, say }) => {
    const { urls, rebindings, redirects } = sizes[size];
    const inside = fileURLToPath(import.meta.resolve('./ssrf-inside.ts'));
    const proxy = 'http://10.9.9.9:8080';
    const child = spawn(
      'unshare',
      [
        // A user other than root becomes root inside a user namespace.
        process.getuid?.() === 0 ? '--net' : '--map-root-user',
        '--net',
        process.execPath,
        inside,
        readlinkSync('/proc/self/ns/net'),
        ...[urls, rebindings, redirects].map(String),
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: limitMs[size],
        env: {
          ...process.env,
          // The service must ignore these proxy settings.
          NODE_USE_ENV_PROXY: '1',
          HTTP_PROXY: proxy,
          HTTPS_PROXY: proxy,
          ALL_PROXY: proxy,
        },
      },
    );
    const output = text(child.stdout);
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) {
      throw new Error(
        `the proof failed in its network namespace (status ${status}); it needs root or user namespaces, unshare (util-linux) and ip (iproute2)`,
      );
    }
    const figures = JSON.parse(await output) as Record<string, unknown>;
    say(`${String(figures['questions'])} questions to the name server`);
    return figures;
  },
};
