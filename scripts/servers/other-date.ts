/**
 * `TONEARM_TEST_DATE=2028-02-29T12:00:00Z npm test`: every process believes that the run began at this time. It needs
 * Debian's package libfaketime. Restate, which is statically linked, and Redis keep the real date: the service sends one
 * delays only, and the other counts requests of minutes.
 */

import { existsSync } from 'node:fs';

/** With its variant for threads (MT), Ceph's monitor hangs. */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

/** What a process needs in its environment to have the other date. */
const names = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'] as const;

export function setDateOfChildren(date: string): void {
  if (!existsSync(library)) throw new Error('libfaketime is needed: apt-get install libfaketime');
  const aheadSeconds = Math.round((Date.parse(date) - Date.now()) / 1_000);
  process.env['LD_PRELOAD'] = library;
  process.env['FAKETIME'] = `${aheadSeconds >= 0 ? '+' : ''}${aheadSeconds}s`;
  // Timers and time-outs use the monotonic clock.
  process.env['FAKETIME_DONT_FAKE_MONOTONIC'] = '1';
}

/** For a server that is started with an environment of its own. */
export const dateEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
