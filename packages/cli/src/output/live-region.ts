/**
 * A few lines at the bottom of the terminal that are redrawn in place. A frame is one write: it moves the cursor up,
 * writes each line over the old one, and clears only what remains. The screen is never empty in between, so nothing
 * flickers. Frames that change nothing are not written at all.
 */

const escape = '\u001b[';
/** Terminals that know these show the whole frame at once; the others ignore them. */
const beginFrame = `${escape}?2026h`;
const endFrame = `${escape}?2026l`;
const clearToEndOfLine = `${escape}K`;
const clearBelow = `${escape}J`;
const hideCursor = `${escape}?25l`;
const showCursor = `${escape}?25h`;

export type Screen = {
  readonly write: (text: string) => unknown;
  readonly rows: () => number;
};

export type LiveRegion = {
  /** `lines` must fit the terminal's width. Those that do not fit its height are left out at the end. */
  readonly draw: (lines: readonly string[]) => void;
  /** Leaves the last frame on the screen, below what was printed before it. */
  readonly end: () => void;
};

function fitted(lines: readonly string[], rows: number): readonly string[] {
  const most = Math.max(1, rows - 1);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more`];
}

export function createLiveRegion({ write, rows }: Screen): LiveRegion {
  let shown: readonly string[] | undefined;
  // A process that ends in any way must leave the cursor visible.
  const restore = () => void write(showCursor);

  return {
    draw: (lines) => {
      const next = fitted(lines, rows());
      if (shown !== undefined && next.join('\n') === shown.join('\n')) return;
      if (shown === undefined) {
        process.once('exit', restore);
        write(hideCursor);
      }
      const up = shown === undefined || shown.length === 0 ? '' : `${escape}${shown.length}A\r`;
      const body = next.map((line) => `${line}${clearToEndOfLine}\n`).join('');
      write(`${beginFrame}${up}${body}${clearBelow}${endFrame}`);
      shown = next;
    },
    end: () => {
      if (shown === undefined) return;
      shown = undefined;
      process.removeListener('exit', restore);
      restore();
    },
  };
}
