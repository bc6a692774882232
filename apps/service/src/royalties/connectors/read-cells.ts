/** Finds the cells of a data line without making texts of them: most cells of a line are never read. */

import type { ReportLayout } from '../domain/report-layout.ts';

const quoteByte = 0x22;

/** Cell n of a line is `bytes` from `starts[n]` to `ends[n]`, without its quotes. */
export type Cells = {
  readonly bytes: Buffer;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
};

/** Reads one line. The cells are those of the line until the next call; undefined: the line has fewer or more. */
export type CellReader = (
  block: Buffer,
  from: number,
  to: number,
  hasQuotes: boolean,
) => Cells | undefined;

export function createCellReader(
  { delimiter }: Pick<ReportLayout, 'delimiter'>,
  cellCount: number,
): CellReader {
  const delimiterByte = delimiter.charCodeAt(0);
  const last = cellCount - 1;
  const starts = new Int32Array(cellCount);
  const ends = new Int32Array(cellCount);

  const readPlain = (block: Buffer, from: number, to: number): boolean => {
    let cell = 0;
    let start = from;
    for (let at = from; at < to; at++) {
      if (block[at] !== delimiterByte) continue;
      if (cell === last) return false;
      starts[cell] = start;
      ends[cell] = at;
      start = at + 1;
      cell += 1;
    }
    starts[cell] = start;
    ends[cell] = to;
    return cell === last;
  };

  const readQuoted = (line: Buffer): boolean => {
    let cell = 0;
    for (let at = 0; cell <= last; cell++) {
      const end = line[at] === quoteByte ? unquote(line, at) : endOfCell(line, at, delimiterByte);
      if (end === -1) return false;
      const isQuoted = end > at && line[at] === quoteByte;
      starts[cell] = isQuoted ? at + 1 : at;
      ends[cell] = isQuoted ? line.indexOf(endMark, at + 1) : end;
      if (end === line.length) return cell === last;
      if (line[end] !== delimiterByte) return false;
      at = end + 1;
    }
    return false;
  };

  const cells: { bytes: Buffer } & Cells = { bytes: Buffer.alloc(0), starts, ends };
  return (block, from, to, hasQuotes) => {
    // A copy, because quotes are removed in place.
    cells.bytes = hasQuotes ? Buffer.from(block.subarray(from, to)) : block;
    const isWhole = hasQuotes ? readQuoted(cells.bytes) : readPlain(block, from, to);
    return isWhole ? cells : undefined;
  };
}

/** Behind the last byte of a cell whose quotes are removed. No text has it: files with it are refused. */
const endMark = 0;

function endOfCell(line: Buffer, from: number, delimiterByte: number): number {
  const end = line.indexOf(delimiterByte, from);
  return end === -1 ? line.length : end;
}

/**
 * Moves the content of the quoted cell at `from` to its beginning, doubled quotes as one, and marks its end. Returns the
 * position behind the closing quote, or −1 if there is none.
 */
function unquote(line: Buffer, from: number): number {
  let target = from + 1;
  for (let at = from + 1; at < line.length; at++) {
    if (line[at] === quoteByte) {
      if (line[at + 1] !== quoteByte) {
        line[target] = endMark;
        return at + 1;
      }
      at += 1;
    }
    line[target] = line[at] ?? endMark;
    target += 1;
  }
  return -1;
}
