/**
 * The data lines of a report as numbers. A row names an entity (its codes and its title) and a context (its context
 * cells), and has a count and an amount. Texts are judged once for each entity and context; most rows have those of an
 * earlier row.
 */

import { join } from 'node:path';
import type { ReportLayout } from '../domain/report-layout.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import { createByteDictionary } from './byte-dictionary.ts';
import {
  contextsMax,
  type ContextTable,
  createContextTable,
  createGroups,
  type RowSums,
} from './context-groups.ts';
import { type Cells, createCellReader } from './read-cells.ts';
import { readAmount, readCount } from './read-numbers.ts';
import { createCodeFiles, isrcOf, productOf } from './report-codes.ts';
import { refuseReport } from './report-task.ts';
import type { AddRow } from './scan-lines.ts';
import { createTextFile } from './text-file.ts';
import { createRowWriter, missingNumber } from './write-rows.ts';

export type RowFiles = {
  /** Parquet: see write-rows.ts. */
  readonly rowsPath: string;
  /** Lines of JSON: the number of an entity, its ISRC, product code and title. */
  readonly entitiesPath: string;
  /** Lines of JSON: the number of a row, from 0 over all files, and its amount. */
  readonly wideAmountsPath: string;
  readonly wideAmounts: number;
  /** Codes, one per line: of every row, and of rows about whole releases. */
  readonly codesPath: string;
  readonly albumCodesPath: string;
};

export type FileRows = {
  /** Of all files before this one. */
  readonly firstRow: number;
  /** The first row, from 0, with a wrong number of cells; with an amount that cannot be read. */
  readonly malformedRow: number | undefined;
  readonly unreadableRow: number | undefined;
  readonly groups: readonly RowSums[];
};

export type RowReader = {
  readonly contexts: ContextTable;
  /** The next file. Its columns are known when its first row comes. */
  readonly openFile: (name: string) => {
    readonly addRowsOf: (columns: readonly string[]) => AddRow;
    readonly finish: () => FileRows;
  };
  readonly finish: () => RowFiles;
  readonly close: () => void;
};

export function createRowReader(folder: string, layout: ReportLayout): RowReader {
  const files = createRowFiles(folder);
  const contexts = createContextTable(() => tooManyContexts(layout, fileName));
  let positions = positionsOf(layout, []);
  let rows = 0;
  let fileName = '';

  const entities = createByteDictionary((number, cells) => {
    const { isrc, product, title } = entityOf(cells, positions, layout.isEscaped);
    files.entities.write(`${JSON.stringify({ entity_id: number, isrc, product, title })}\n`);
    files.codes.add(isrc, product);
  });

  const openFile: RowReader['openFile'] = (name) => {
    fileName = name;
    const groups = createGroups();
    const firstRow = rows;
    let malformedRow: number | undefined;
    let unreadableRow: number | undefined;
    const addRowsOf = (columns: readonly string[]): AddRow => {
      positions = positionsOf(layout, columns);
      const { entity, context, resourceId, amount: amountAt } = positions;
      const readCells = createCellReader(layout, columns.length);
      return (block, from, to, hasQuotes) => {
        if (malformedRow !== undefined) return;
        const cells = readCells(block, from, to, hasQuotes);
        if (cells === undefined) {
          malformedRow = rows - firstRow;
          return;
        }
        const { bytes, starts, ends } = cells;
        const amount = readAmount(bytes, starts[amountAt] ?? 0, ends[amountAt] ?? 0);
        if (amount === undefined) unreadableRow ??= rows - firstRow;
        const contextId = contexts.idOf(cells, context);
        groups.add(contextId, rows - firstRow, amount ?? 0);
        files.rows.add(
          entities.numberOf(cells, entity, isPresent(cells, resourceId) ? 1 : 0),
          contextId,
          unitsOf(cells, positions) ?? missingNumber,
          files.wide.narrowed(rows, amount ?? 0),
        );
        rows += 1;
      };
    };
    const finish = () => ({ firstRow, malformedRow, unreadableRow, groups: groups.all() });
    return { addRowsOf, finish };
  };

  return { contexts, openFile, finish: files.finish, close: files.close };
}

function createRowFiles(folder: string) {
  const rowsPath = join(folder, 'rows.parquet');
  const entitiesPath = join(folder, 'entities.json');
  const wideAmountsPath = join(folder, 'wide-amounts.json');
  const rows = createRowWriter(rowsPath);
  const entities = createTextFile(entitiesPath);
  const wide = createWideAmounts(wideAmountsPath);
  const codes = createCodeFiles(folder);
  const { codesPath, albumCodesPath } = codes;
  const paths = { rowsPath, entitiesPath, wideAmountsPath, codesPath, albumCodesPath };
  return {
    rows,
    entities,
    wide,
    codes,
    finish: (): RowFiles => {
      rows.finish();
      return { ...paths, wideAmounts: wide.count() };
    },
    close: () => {
      for (const file of [rows, entities, wide, codes]) file.close();
    },
  };
}

/** From this on an amount does not fit into DECIMAL(18,10). */
const wideFrom = 10n ** 18n;

function createWideAmounts(path: string) {
  const file = createTextFile(path);
  let count = 0;
  return {
    /** The amount, if 64 bits are enough; others are written to the file. */
    narrowed: (row: number, amount: number | bigint): number | bigint => {
      if (typeof amount === 'number' || (amount < wideFrom && amount > -wideFrom)) return amount;
      file.write(`${JSON.stringify({ row_id: row, wide: formatSourceAmount(amount) })}\n`);
      count += 1;
      return missingNumber;
    },
    count: () => count,
    close: () => file.close(),
  };
}

const tooManyContexts = ({ contextColumns }: ReportLayout, file: string) =>
  refuseReport({
    code: 'unreadable_file',
    message: `The file has more than ${contextsMax} combinations of ${contextColumns.join(', ')}. Check its format.`,
    file,
    line: null,
  });

type Positions = ReturnType<typeof positionsOf>;

/** −1: the format has no such column. */
function positionsOf({ cells, contextColumns }: ReportLayout, columns: readonly string[]) {
  const at = (name: string | undefined) => (name === undefined ? -1 : columns.indexOf(name));
  const [isrc, product, title] = [at(cells.isrc), at(cells.productCode), at(cells.title)];
  return {
    isrc,
    product,
    title,
    entity: [isrc, product, title],
    context: contextColumns.map(at),
    resourceId: at(cells.resourceId),
    amount: at(cells.amount),
    units: at(cells.units),
    totalUnits: at(cells.totalUnits),
    returnedUnits: at(cells.returnedUnits),
  };
}

const isPresent = ({ starts, ends }: Cells, position: number): boolean =>
  position !== -1 && (ends[position] ?? 0) > (starts[position] ?? 0);

const textAt = ({ bytes, starts, ends }: Cells, position: number): string =>
  bytes.toString('utf8', starts[position], ends[position]);

function entityOf(cells: Cells, at: Positions, isEscaped: boolean) {
  const title = textAt(cells, at.title);
  return {
    isrc: isrcOf(textAt(cells, at.isrc), isPresent(cells, at.resourceId)),
    product: productOf(textAt(cells, at.product)),
    title: isEscaped ? title.replaceAll(/\\([\\|])/g, '$1') : title,
  };
}

/** Undefined if a count cannot be read, or if the counts contradict each other. */
function unitsOf(cells: Cells, at: Positions): number | bigint | undefined {
  const units = countAt(cells, at.units);
  if (at.totalUnits === -1 || units === undefined) return units;
  const total = countAt(cells, at.totalUnits);
  const returned = countAt(cells, at.returnedUnits);
  if (total === undefined || returned === undefined) return undefined;
  const isNet =
    typeof units === 'number' && typeof total === 'number' && typeof returned === 'number'
      ? total - returned === units
      : BigInt(total) - BigInt(returned) === BigInt(units);
  return isNet ? units : undefined;
}

const countAt = ({ bytes, starts, ends }: Cells, position: number): number | bigint | undefined =>
  readCount(bytes, starts[position] ?? 0, ends[position] ?? 0);
