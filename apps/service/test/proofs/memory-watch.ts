/** How much memory a process and all it starts ever hold, by the kernel's own high-water marks. */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 40;
const mebibyte = 1024;

type ProcessMemory = { readonly parent: number; readonly peakMib: number; readonly name: string };

function readProcess(pid: string): ProcessMemory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return {
      parent: Number(read('PPid')),
      peakMib: Number(read('VmHWM')) / mebibyte,
      name: read('Name'),
    };
  } catch {
    // It ended while it was looked at.
    return undefined;
  }
}

function familyOf(pid: number): ReadonlyMap<number, ProcessMemory> {
  const all = new Map<number, ProcessMemory>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const seen = readProcess(name);
    if (seen !== undefined) all.set(Number(name), seen);
  }
  const isOurs = (each: number): boolean => {
    for (let at = each; at > 1; at = all.get(at)?.parent ?? 0) if (at === pid) return true;
    return false;
  };
  return new Map([...all].filter(([each]) => isOurs(each)));
}

/** Watches until stopped; `pid` is asked for each time, since what is watched may be killed. */
export function watchMemory(pid: () => number | undefined) {
  const peaks: Record<string, number> = {};
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const { name, peakMib } of familyOf(pid() ?? -1).values()) {
        peaks[name] = Math.max(peaks[name] ?? 0, Math.round(peakMib));
      }
      await wait(everyMs);
    }
  })();
  return async () => {
    over.abort();
    await watching;
    return peaks;
  };
}
