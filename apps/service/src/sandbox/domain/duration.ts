import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/duration.ts';

/** `45s`, `30m`, `72h`, `10d`. */
export const durationPattern = '^\\d{1,6}[smhd]$';

const unitsMs: Readonly<Record<string, number>> = {
  s: secondMs,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
};

/** `text` matches `durationPattern`. */
export function durationMs(text: string): number {
  const unitMs = unitsMs[text.slice(-1)];
  if (unitMs === undefined) throw new TypeError(`not a duration: ${text}`);
  return Number(text.slice(0, -1)) * unitMs;
}
