/** A real terminal of a given size: tmux, which knows what is on the screen at every moment. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

export type Terminal = {
  /** The lines on the screen, without empty ones at the end. */
  readonly screen: () => string[];
  /** The same with the escape sequences of colours. */
  readonly colours: () => string;
  readonly type: (text: string) => void;
  readonly until: (
    what: string,
    isDone: (lines: readonly string[]) => boolean,
  ) => Promise<string[]>;
  readonly close: () => void;
};

const untilTimeoutMs = 120_000;
const pollMs = 30;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function openTerminal(
  command: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly columns: number;
    readonly rows?: number;
    readonly cwd: string;
  },
): Terminal {
  const name = `tonearm-${randomBytes(4).toString('hex')}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { ...options.env, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    });
  // The shell stays after the command, so that its last screen can be read; it prints the exit status.
  const line = `${command.map(quote).join(' ')}; echo "status $?"; sleep 600`;
  tmux(
    'new-session',
    '-d',
    '-c',
    options.cwd,
    '-x',
    String(options.columns),
    '-y',
    String(options.rows ?? 30),
    'sh',
    '-c',
    line,
  );
  const capture = (...flags: string[]) => tmux('capture-pane', '-p', ...flags);
  const screen = () => capture().trimEnd().split('\n');
  return {
    screen,
    colours: () => capture('-e'),
    type: (text) => void tmux('send-keys', '-l', text),
    until: async (what, isDone) => {
      const endsAt = Date.now() + untilTimeoutMs;
      for (;;) {
        const lines = screen();
        if (isDone(lines)) return lines;
        if (Date.now() > endsAt) throw new Error(`${what} has not happened:\n${lines.join('\n')}`);
        await wait(pollMs);
      }
    },
    close: () => void tmux('kill-server'),
  };
}
