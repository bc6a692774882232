/** How long, as people write it: `45s`, `30m`, `72h`, `10d`. */
export const durationPattern = '^\\d{1,6}[smhd]$';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Of a text that matches the pattern. */
export function durationMs(text: string): number {
  const unitMs = unitsMs[text.slice(-1)];
  if (unitMs === undefined) throw new TypeError(`not a duration: ${text}`);
  return Number(text.slice(0, -1)) * unitMs;
}
