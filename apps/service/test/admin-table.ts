/** The operator's commands as the manual lists them, from their declarations. */

import { adminCommands } from '../src/app/admin.ts';
import { flagsOf } from '../src/app/admin/usage.ts';

/** A bar would begin the next cell, also inside of code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

export function drawAdminCommands(): string {
  const rows = Object.entries(adminCommands).map(([name, command]) => {
    const flags = flagsOf(command);
    return [code(name), command.summary, flags === '' ? '' : code(flags)];
  });
  return aligned([['Command', 'What it does', 'Flags'], ...rows]);
}

/** As `npm run format` would write it. */
function aligned([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
