/** A CSV sheet: one row for each track. A column of the release needs its value only once. */

import {
  type SheetColumn,
  columnOf,
  coverColumn,
  likelyColumn,
  releasePrefix,
  requiredReleaseFields,
} from './columns.ts';
import { CsvError, type CsvRow, readCsv } from './read-csv.ts';
import { readContributors, readField } from './read-field.ts';
import { type Fields, type Problem, type Sheet, type SheetTrack, setField } from './sheet.ts';

type Contributor = { name: string; roles: string[]; instruments?: string[] };

type Header = readonly { readonly name: string; readonly column: SheetColumn | undefined }[];

function readHeader(cells: readonly string[], problems: Problem[]): Header {
  const header = cells.map((cell) => {
    const name = cell.toLowerCase();
    return { name, column: columnOf(name) };
  });
  for (const [index, { name, column }] of header.entries()) {
    if (name === '') continue;
    if (column === undefined) {
      const likely = likelyColumn(name);
      const hint = likely === undefined ? '' : `, did you mean ${likely}?`;
      problems.push({ where: 'line 1', problem: `${cells[index]} is not a column${hint}` });
    } else if (header.findIndex((each) => each.name === name) !== index) {
      problems.push({ where: 'line 1', problem: `the column ${name} occurs twice` });
    }
  }
  return header;
}

function addContributors(contributors: Contributor[], role: string, cell: string): void {
  for (const { name, instruments } of readContributors(cell)) {
    let person = contributors.find((each) => each.name === name);
    if (person === undefined) contributors.push((person = { name, roles: [] }));
    person.roles.push(role);
    if (instruments.length > 0) {
      person.instruments = [...new Set([...(person.instruments ?? []), ...instruments])];
    }
  }
}

/** The first value of a column of the release counts; another one in a later row is a contradiction. */
type ReleaseCells = Map<string, { readonly text: string; readonly where: string }>;

function rememberReleaseCell(
  cells: ReleaseCells,
  name: string,
  text: string,
  where: string,
  problems: Problem[],
) {
  const first = cells.get(name);
  if (first === undefined) cells.set(name, { text, where });
  else if (first.text !== text) {
    problems.push({
      where,
      problem: `${name} is ${text} here and ${first.text} in ${first.where}`,
    });
  }
}

function readRow(
  { line, cells }: CsvRow,
  header: Header,
  release: ReleaseCells,
  problems: Problem[],
): SheetTrack {
  const where = `line ${line}`;
  const fields: Fields = {};
  const contributors: Contributor[] = [];
  let file: string | undefined;
  for (const [index, { name, column }] of header.entries()) {
    const text = cells[index] ?? '';
    if (text === '' || column === undefined) continue;
    if (column.of === 'file') file = text;
    else if (column.of === 'contributor') addContributors(contributors, column.role, text);
    else if (column.of !== 'track') rememberReleaseCell(release, name, text, where, problems);
    else {
      const read = readField(column.kind, text);
      if (read.ok) setField(fields, column.field, read.value);
      else problems.push({ where: `${where}, ${name}`, problem: read.problem });
    }
  }
  if (contributors.length > 0) fields['contributors'] = contributors;
  if (cells.length > header.length) {
    problems.push({ where, problem: 'the row has more cells than the first line has columns' });
  }
  if (fields['title'] === undefined) problems.push({ where, problem: 'title is missing' });
  return { where, file, fields };
}

function readRelease(cells: ReleaseCells, problems: Problem[]): Fields {
  const fields: Fields = {};
  for (const [name, { text, where }] of cells) {
    const column = columnOf(name);
    if (column?.of !== 'release') continue;
    const read = readField(column.kind, text);
    if (read.ok) setField(fields, column.field, read.value);
    else problems.push({ where: `${where}, ${name}`, problem: read.problem });
  }
  for (const field of requiredReleaseFields) {
    if (!cells.has(releasePrefix + field)) {
      problems.push({ where: 'the sheet', problem: `${releasePrefix}${field} is missing` });
    }
  }
  return fields;
}

export function readCsvSheet(text: string): Sheet {
  const problems: Problem[] = [];
  let rows: CsvRow[];
  try {
    rows = readCsv(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const where = `line ${error.line}`;
    return {
      release: {},
      cover: undefined,
      tracks: [],
      problems: [{ where, problem: error.message }],
    };
  }
  const [first, ...others] = rows;
  const header = readHeader(first?.cells ?? [], problems);
  const releaseCells: ReleaseCells = new Map();
  const tracks = others.map((row) => readRow(row, header, releaseCells, problems));
  if (tracks.length === 0)
    problems.push({ where: 'the sheet', problem: 'there is no row for a track' });
  const release = readRelease(releaseCells, problems);
  return { release, cover: releaseCells.get(coverColumn)?.text, tracks, problems };
}
