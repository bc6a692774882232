/** Where a command prints: tables and sentences for people, one JSON value for programs. */

import { createLiveRegion, type LiveRegion } from './live-region.ts';
import { type Palette, paletteOf } from './palette.ts';
import { safeJson, safeText } from './safe-text.ts';
import { type Cell, type Column, tableLines } from './table.ts';
import { wrap } from './text-width.ts';

export type OutputFlags = {
  readonly json?: boolean;
  readonly table?: boolean;
  readonly color?: boolean;
};

type Stream = NodeJS.WriteStream;

/** Of a file or a pipe, where tables were asked for with --table. */
const usualColumns = 80;
/** Longer lines are harder to read, and tables do not need them. */
const columnsMax = 160;
const rowsUnknown = 24;

export type Output = {
  readonly isJson: boolean;
  /** A person sees the output while it is made. */
  readonly isLive: boolean;
  readonly columns: number;
  readonly palette: Palette;
  /** The result of the command. */
  readonly result: (value: unknown, forPeople: () => void) => void;
  /** One JSON value in one line, for commands that have many results. */
  readonly jsonLine: (value: unknown) => void;
  /** A line for people. `text` may have colours, so other people's text in it must be made safe before. */
  readonly line: (text?: string) => void;
  readonly table: (columns: readonly Column[], rows: readonly (readonly Cell[])[]) => void;
  /** What to do next: the commands to copy. */
  readonly next: (...commands: string[]) => void;
  /** For people, on standard error, also where standard output is for a program. */
  readonly note: (text: string) => void;
  readonly live: () => LiveRegion;
};

const usesColour = (flags: OutputFlags, env: NodeJS.ProcessEnv, stdout: Stream): boolean =>
  flags.color !== false && stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';

export function createOutput(
  flags: OutputFlags,
  { stdout, stderr, env }: { stdout: Stream; stderr: Stream; env: NodeJS.ProcessEnv },
): Output {
  const isJson = flags.json === true || (!stdout.isTTY && flags.table !== true);
  const palette = paletteOf(usesColour(flags, env, stdout));
  const columns = () => Math.min(columnsMax, stdout.isTTY ? stdout.columns : usualColumns);
  const line = (text = ''): void => {
    if (!isJson) stdout.write(`${text}\n`);
  };
  return {
    isJson,
    isLive: !isJson && stdout.isTTY && env['TERM'] !== 'dumb',
    get columns() {
      return columns();
    },
    palette,
    result: (value, forPeople) => {
      if (isJson) stdout.write(`${safeJson(value)}\n`);
      else forPeople();
    },
    jsonLine: (value) => {
      if (isJson) stdout.write(`${JSON.stringify(value)}\n`);
    },
    line,
    table: (titles, rows) => {
      for (const each of tableLines(titles, rows, { columnsMax: columns(), palette })) line(each);
    },
    next: (...commands) => {
      if (commands.length === 0) return;
      line();
      for (const command of commands) line(`${palette.faint('Next:')} ${safeText(command)}`);
    },
    note: (text) => {
      for (const each of wrap(safeText(text), columns())) stderr.write(`${each}\n`);
    },
    live: () =>
      createLiveRegion({
        write: (text) => stdout.write(text),
        rows: () => stdout.rows ?? rowsUnknown,
      }),
  };
}
