/**
 * Divides a report file into data lines, whose cells are read at once, and all other lines, which the rules of the format
 * read. One pass over the bytes.
 */

import { isUtf8 } from 'node:buffer';
import type { OtherLine, ReportLayout, ScannedFile } from '../domain/report-layout.ts';
import { lineBlocks, newline } from './line-blocks.ts';
import { refuseReport } from './report-task.ts';

/** The longest line of a real report has 2 KB. */
const lineBytesMax = 64 * 1024;
/** Summary records and totals. */
const otherLinesMax = 100_000;
/** How often data lines may be interrupted by other lines. */
const runsMax = 100_000;

const carriageReturn = 0x0d;
const quoteByte = 0x22;

/** Data lines without an interruption: the first row, from 0, and its line in the file, from 1. */
export type Run = { readonly row: number; readonly line: number };

export type ScanResult = ScannedFile & { readonly runs: readonly Run[] };

/** The line of a row in the file as the store sent it. */
export function lineOfRow(runs: readonly Run[], row: number): number {
  const run = runs.findLast((each) => each.row <= row);
  return run === undefined ? 1 : run.line + row - run.row;
}

/** Called for each data line with its bytes, which are valid until it returns. */
export type AddRow = (block: Buffer, from: number, to: number, hasQuotes: boolean) => void;

/** Called before the first data line of a file, with the lines before it. */
export type OpenRows = (head: Pick<ScannedFile, 'name' | 'others'>) => AddRow;

export async function scanLines(
  chunks: AsyncIterable<Buffer>,
  name: string,
  layout: ReportLayout,
  openRows: OpenRows,
): Promise<ScanResult> {
  const scanner = createScanner(name, layout, openRows);
  const onLong = () => tooLong(name, scanner.line + 1);
  for await (const block of lineBlocks(chunks, { bytesMax: lineBytesMax, onLong })) {
    scanner.scan(block);
  }
  return scanner.finish();
}

function createScanner(name: string, layout: ReportLayout, openRows: OpenRows) {
  const kindOf = lineKinds(layout);
  const lines = createLineLists(name);
  const quotes = createQuoteFinder(layout.isQuoted);
  const row = createLongRow(() => tooLong(name, line));
  let line = 0;
  let skipped = 0;
  let addRow: AddRow | undefined;

  const addData = (block: Buffer, from: number, to: number) => {
    lines.addRow(line);
    addRow ??= openRows({ name, others: lines.others });
    const count = quotes.countIn(block, from, to);
    if (count % 2 === 0) addRow(block, from, to, count > 0);
    else row.begin(block, from, to);
  };
  /** A line of a row whose cell has line breaks. */
  const continueRow = (block: Buffer, from: number, to: number) => {
    lines.interrupt();
    row.add(block, from, to);
    if (quotes.countIn(block, from, to) % 2 === 1) row.end(addRow);
  };
  const addLine = (block: Buffer, from: number, to: number) => {
    if (row.isOpen()) {
      continueRow(block, from, to);
      return;
    }
    const kind = kindOf(block, from, to);
    if (kind === 'data') addData(block, from, to);
    else if (kind === 'other') lines.addOther(line, block.toString('utf8', from, to));
    else {
      skipped += 1;
      lines.interrupt();
    }
  };

  const scan = (block: Buffer) => {
    checkText(block, name, line + 1);
    quotes.begin(block);
    for (let from = 0; from < block.length;) {
      const to = block.indexOf(newline, from);
      line += 1;
      if (to - from > lineBytesMax) throw tooLong(name, line);
      addLine(block, from, to > from && block[to - 1] === carriageReturn ? to - 1 : to);
      from = to + 1;
    }
  };
  const finish = (): ScanResult => {
    // A quote that never ends: the rest of the file is one row, which has too few cells.
    if (row.isOpen()) row.end(addRow);
    return { name, skippedLines: skipped, ...lines.all() };
  };
  return {
    get line() {
      return line;
    },
    scan,
    finish,
  };
}

/** The places of rows, and the lines that are not data. */
function createLineLists(name: string) {
  const others: OtherLine[] = [];
  const runs: Run[] = [];
  let rows = 0;
  let lastLine = 0;
  let isRunning = false;
  return {
    others,
    interrupt: () => {
      isRunning = false;
    },
    addRow: (line: number) => {
      if (!isRunning) {
        runs.push({ row: rows, line });
        if (runs.length > runsMax)
          throw unreadable(
            name,
            'Too many lines between the data lines are not data. Send the data in one piece.',
            line,
          );
        isRunning = true;
      }
      rows += 1;
      lastLine = line;
    },
    addOther: (line: number, text: string) => {
      isRunning = false;
      if (others.length === otherLinesMax)
        throw unreadable(
          name,
          'The file has too many lines that are not data. Check its format.',
          line,
        );
      others.push({ line, text });
      lastLine = line;
    },
    all: () => ({ others, dataLines: rows, lastLine, runs }),
  };
}

/** Counts the quotes of lines, which are asked for in their order. Most blocks of a file without quotes are searched once. */
function createQuoteFinder(isQuoted: boolean) {
  let next = -1;
  return {
    begin: (block: Buffer) => {
      next = isQuoted ? block.indexOf(quoteByte) : -1;
    },
    countIn: (block: Buffer, from: number, to: number): number => {
      let count = 0;
      for (; next !== -1 && next < to; next = block.indexOf(quoteByte, next + 1)) {
        if (next >= from) count += 1;
      }
      return count;
    },
  };
}

/** A row of several lines becomes one line, with spaces instead of the line breaks. */
function createLongRow(onLong: () => Error) {
  let lines: Buffer[] = [];
  let sizeBytes = 0;
  const add = (block: Buffer, from: number, to: number) => {
    lines.push(Buffer.from(block.subarray(from, to)));
    sizeBytes += to - from + 1;
    if (sizeBytes > lineBytesMax) throw onLong();
  };
  return {
    isOpen: () => lines.length > 0,
    begin: add,
    add: (block: Buffer, from: number, to: number) => {
      lines.push(space);
      add(block, from, to);
    },
    end: (addRow: AddRow | undefined) => {
      const whole = Buffer.concat(lines);
      [lines, sizeBytes] = [[], 0];
      addRow?.(whole, 0, whole.length, true);
    },
  };
}

const space = Buffer.from(' ');

type LineKind = 'data' | 'other' | 'skipped';

function lineKinds({ dataPrefix, endPrefix, commentPrefix }: ReportLayout) {
  const [data, end, comment] = [dataPrefix, endPrefix, commentPrefix].map((prefix) =>
    prefix === undefined ? undefined : Buffer.from(prefix),
  );
  let isHeaderRead = false;
  let isAfterData = false;
  return (block: Buffer, from: number, to: number): LineKind => {
    if (to === from || (comment !== undefined && startsWith(block, from, comment)))
      return 'skipped';
    if (data !== undefined) return startsWith(block, from, data) ? 'data' : 'other';
    isAfterData ||= end !== undefined && startsWith(block, from, end);
    if (isHeaderRead && !isAfterData) return 'data';
    isHeaderRead = true;
    return 'other';
  };
}

function startsWith(block: Buffer, from: number, prefix: Buffer): boolean {
  for (let i = 0; i < prefix.length; i++) {
    if (block[from + i] !== prefix[i]) return false;
  }
  return true;
}

function checkText(block: Buffer, name: string, line: number): void {
  if (!block.includes(0) && isUtf8(block)) return;
  throw unreadable(name, 'The file is not text in UTF-8. Send it as UTF-8.', line);
}

const unreadable = (file: string, message: string, line: number) =>
  refuseReport({ code: 'unreadable_file', message, file, line });

const tooLong = (file: string, line: number) =>
  unreadable(
    file,
    `The line has more than ${lineBytesMax} bytes. Check that the file is a report.`,
    line,
  );
