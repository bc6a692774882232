/** One resource for people: a name and a value on each line. */

import type { Output } from './output.ts';
import { safeText } from './safe-text.ts';
import { pad, truncate, widthOf } from './text-width.ts';

export type Field = readonly [name: string, value: string | number | null | undefined];

/** Fields without a value are left out. */
export function printFields(output: Output, fields: readonly Field[]): void {
  const shown = fields.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  for (const [name, value] of shown) {
    const text = truncate(safeText(String(value)), Math.max(10, output.columns - width - 2));
    output.line(`${output.palette.faint(pad(name, width, 'left'))}  ${text}`);
  }
}
