/** Reads one record of a DSR file by its description. */

import { periodOf } from './calendar.ts';
import { type DsrCell, dsrRecords } from './dsr-records.ts';
import { type OtherLine, rejection } from './report-layout.ts';
import { parseSourceAmount } from './source-amount.ts';

export type DsrRecord = {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The first value of a cell; empty if it has none. */
  readonly value: (name: string) => string;
  /** All values of a cell that may have several. */
  readonly values: (name: string) => readonly string[];
};

export const recordTypeOf = ({ text }: OtherLine): string => text.split('\t', 1)[0] ?? '';

/** Throws `ReportRejected` for a required cell without a value, and for a value of a wrong type. */
export function readDsrRecord(
  type: keyof typeof dsrRecords,
  { line, text }: OtherLine,
  file: string,
): DsrRecord {
  const texts = text.split('\t');
  const cells = new Map<string, readonly string[]>();
  dsrRecords[type].forEach((cell, i) => {
    const values = valuesOf(cell, texts[i] ?? '');
    const problem = problemOf(cell, values);
    if (problem !== undefined) {
      throw rejection(
        'unreadable_file',
        `${type}: ${problem} Ask the store for a corrected file.`,
        file,
        line,
      );
    }
    cells.set(cell.name, values);
  });
  const values = (name: string) => cells.get(name) ?? [];
  return { file, line, text, value: (name) => values(name)[0] ?? '', values };
}

function valuesOf({ repeats }: DsrCell, text: string): readonly string[] {
  if (text === '') return [];
  // A bar that is not escaped separates values.
  const values = repeats ? text.split(/(?<!(?<!\\)\\)\|/) : [text];
  return values.map((value) => value.replaceAll(/\\([\\|])/g, '$1').trim());
}

function problemOf(cell: DsrCell, values: readonly string[]): string | undefined {
  if (values.every((value) => value === '')) {
    return cell.isRequired ? `${cell.name} is missing.` : undefined;
  }
  const isWrong = values.some((value) => value !== '' && !hasType(cell, value));
  return isWrong
    ? `${cell.name} is not a ${cell.type}: "${values.join('|').slice(0, 100)}".`
    : undefined;
}

const hasType = ({ type }: DsrCell, value: string): boolean =>
  type === 'text' ||
  // Some dates have a time, which no rule needs.
  (type === 'date' ? periodOf(value.slice(0, 10)) : parseSourceAmount(value)) !== undefined;
