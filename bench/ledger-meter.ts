/**
 * Measures blocks of work: how many units per second, and the processor time of one unit, which hardly depends on other
 * load of the machine. It is that of this process and of PostgreSQL.
 */

import type { TestService } from '../apps/service/test/test-service.ts';
import { processorTimeOf } from '../scripts/costs/processor-time.ts';
import { median } from './blocks.ts';
import { openPostgresTime } from './processor-time.ts';

export type Meter = Awaited<ReturnType<typeof openMeter>>;

export async function openMeter(service: TestService) {
  const postgresTime = await openPostgresTime(service);
  const processorTime = () => postgresTime() + processorTimeOf(process.pid);
  const costs: Record<string, number[]> = {};
  return {
    /** Returns the units per second. */
    measure: async (name: string, units: number, work: () => Promise<void>): Promise<number> => {
      const [begun, usedBefore] = [performance.now(), processorTime()];
      await work();
      const seconds = (performance.now() - begun) / 1_000;
      (costs[name] ??= []).push((processorTime() - usedBefore) / units);
      return units / seconds;
    },
    /** The processor time of a unit of `name`, in milliseconds: the median of its blocks. */
    costOf: (name: string): number => Math.round(median(costs[name] ?? []) * 1_000) / 1_000,
  };
}
