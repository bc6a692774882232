/** Measures the peak memory of a process and its descendants, from the kernel's high-water marks (VmHWM). */

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const readEveryMs = 40;
const kibPerMib = 1024;

type ProcessMemory = { readonly parent: number; readonly peakMib: number; readonly name: string };

function readProcess(pid: string): ProcessMemory | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const read = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
    return {
      parent: Number(read('PPid')),
      peakMib: Number(read('VmHWM')) / kibPerMib,
      name: read('Name'),
    };
  } catch {
    // The process ended meanwhile.
    return undefined;
  }
}

function readDescendants(pid: number): ReadonlyMap<number, ProcessMemory> {
  const all = new Map<number, ProcessMemory>();
  for (const name of readdirSync('/proc').filter((candidate) => /^\d+$/.test(candidate))) {
    const memory = readProcess(name);
    if (memory !== undefined) all.set(Number(name), memory);
  }
  const isDescendant = (candidate: number): boolean => {
    for (let ancestor = candidate; ancestor > 1; ancestor = all.get(ancestor)?.parent ?? 0)
      if (ancestor === pid) return true;
    return false;
  };
  return new Map([...all].filter(([candidate]) => isDescendant(candidate)));
}

/** Reads until the returned function is called. `pid` is called each time, because the process may be replaced. */
export function watchMemory(pid: () => number | undefined) {
  const peaks: Record<string, number> = {};
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      for (const { name, peakMib } of readDescendants(pid() ?? -1).values()) {
        peaks[name] = Math.max(peaks[name] ?? 0, Math.round(peakMib));
      }
      await wait(readEveryMs);
    }
  })();
  return async () => {
    stopped.abort();
    await watching;
    return peaks;
  };
}
