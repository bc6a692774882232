/**
 * Divides a report file into data lines, which are written to a file for the database engine, and all other lines, which
 * the rules of the format read. One pass over the bytes: a line of data costs one search for its end.
 */

import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
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

export async function scanLines(
  chunks: AsyncIterable<Buffer>,
  name: string,
  layout: ReportLayout,
  dataPath: string,
): Promise<ScanResult> {
  const out = await open(dataPath, 'w');
  try {
    const scanner = createScanner(name, layout);
    const onLong = () => tooLong(name, scanner.line + 1);
    for await (const block of lineBlocks(chunks, { bytesMax: lineBytesMax, onLong })) {
      await writeAll(out, scanner.scan(block));
    }
    return scanner.finish();
  } finally {
    await out.close();
  }
}

async function writeAll(out: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  if (pieces.length > 0) await out.writev([...pieces]);
}

function createScanner(name: string, layout: ReportLayout) {
  const { isQuoted } = layout;
  const kindOf = lineKinds(layout);
  const others: OtherLine[] = [];
  const runs: Run[] = [];
  let [line, rows, skipped, lastLine] = [0, 0, 0, 0];
  let isRunning = false;
  let isInsideQuotes = false;

  const beginRow = () => {
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
  };
  const addOther = (block: Buffer, from: number, to: number) => {
    isRunning = false;
    if (others.length === otherLinesMax)
      throw unreadable(
        name,
        'The file has too many lines that are not data. Check its format.',
        line,
      );
    others.push({ line, text: block.toString('utf8', from, to) });
    lastLine = line;
  };
  /** Whether the line belongs to the data. */
  const addLine = (block: Buffer, from: number, to: number): boolean => {
    if (isInsideQuotes) {
      isRunning = false;
      return true;
    }
    const kind = kindOf(block, from, to);
    if (kind === 'data') beginRow();
    else if (kind === 'other') addOther(block, from, to);
    else {
      skipped += 1;
      isRunning = false;
    }
    return kind === 'data';
  };

  const scan = (block: Buffer): Buffer[] => {
    checkText(block, name, line + 1);
    const pieces: Buffer[] = [];
    let begin = -1;
    for (let from = 0; from < block.length;) {
      const to = block.indexOf(newline, from);
      line += 1;
      if (to - from > lineBytesMax) throw tooLong(name, line);
      const end = to > from && block[to - 1] === carriageReturn ? to - 1 : to;
      const isData = addLine(block, from, end);
      if (isData && isQuoted && hasOddQuotes(block, from, to)) isInsideQuotes = !isInsideQuotes;
      if (isData && begin === -1) begin = from;
      // Data lines stay in one piece with their neighbours, unless the end of the line changes.
      if (begin !== -1 && (!isData || end < to || isInsideQuotes)) {
        pieces.push(block.subarray(begin, isData ? end : from));
        if (isData) pieces.push(isInsideQuotes ? space : lineBreak);
        begin = -1;
      }
      from = to + 1;
    }
    if (begin !== -1) pieces.push(block.subarray(begin));
    return pieces;
  };
  return {
    get line() {
      return line;
    },
    scan,
    finish: (): ScanResult => ({
      name,
      others,
      dataLines: rows,
      skippedLines: skipped,
      lastLine,
      runs,
    }),
  };
}

const lineBreak = Buffer.from('\n');
/** Instead of a line break inside a cell, so that each row is one line. */
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

function hasOddQuotes(block: Buffer, from: number, to: number): boolean {
  let isOdd = false;
  for (
    let at = block.indexOf(quoteByte, from);
    at !== -1 && at < to;
    at = block.indexOf(quoteByte, at + 1)
  ) {
    isOdd = !isOdd;
  }
  return isOdd;
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
