/**
 * Contract §6: nothing that a partner writes, no name server of his and no receiver of his makes us connect to an
 * address that is not public. The guarded code runs in a network namespace of its own (`ssrf-inside.ts`), asks a real
 * name server there, and every address of the world is a canary. Where the machine permits no namespace there is no
 * proof: it fails.
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
    'where guarded requests went, against where they may go, with every address of the world a canary',
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
        // Whoever is not root here is root there.
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
          // None of which is to be heeded.
          NODE_USE_ENV_PROXY: '1',
          HTTP_PROXY: proxy,
          HTTPS_PROXY: proxy,
          ALL_PROXY: proxy,
        },
      },
    );
    const said = text(child.stdout);
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) {
      throw new Error(
        `no namespace, or it failed there (status ${status}): root, or user namespaces, with unshare (util-linux) and ip (iproute2) are needed`,
      );
    }
    const figures = JSON.parse(await said) as Record<string, unknown>;
    say(`${String(figures['questions'])} questions to the name server`);
    return figures;
  },
};
