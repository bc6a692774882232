/** Twelve months in twelve characters. */

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/** A month without any record is not the same as a month that earned nothing. */
const nothingReported = '·';
/** A month that took money back, for example a correction. */
const negative = '▿';

export function sparkline(values: readonly (number | undefined)[]): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === undefined) return nothingReported;
      if (value < 0) return negative;
      const level = most === 0 ? 0 : Math.ceil((value / most) * levels.length) - 1;
      return levels[Math.max(0, level)];
    })
    .join('');
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of at most `columns` columns for a share of 0 to 1, precise to an eighth of a column. */
export function bar(share: number, columns: number): string {
  const parts = Math.round(Math.min(1, Math.max(0, share)) * columns * eighths.length);
  return '█'.repeat(Math.floor(parts / eighths.length)) + (eighths[parts % eighths.length] ?? '');
}

/** `━━━━━━╌╌╌╌`: done and to do have different shapes, not only different colours. */
export function progressBar(share: number, columns: number): string {
  const done = Math.round(Math.min(1, Math.max(0, share)) * columns);
  return '━'.repeat(done) + '╌'.repeat(columns - done);
}
