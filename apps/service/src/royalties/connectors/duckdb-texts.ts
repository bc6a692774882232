/**
 * Texts for DuckDB: literals, names and files of its SQL. Apart from the engine, so that the worker, which writes such
 * files for its tasks, does not load the library.
 */

/** A text literal of SQL. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A quoted name of SQL. */
export const nameOf = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** One line of a CSV file that `csvFile` reads. */
export const csvLine = (values: readonly (string | number | null)[]): string =>
  `${values.map((value) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)).join(',')}\n`;

/** Reads a file of lines by `csvLine`. */
export const csvFile = (path: string, columns: Readonly<Record<string, string>>): string =>
  `read_csv(${text(path)}, delim=',', quote='"', escape='"', header=false, auto_detect=false, columns=${columnsOf(columns)})`;

export const columnsOf = (columns: Readonly<Record<string, string>>): string =>
  `{${Object.entries(columns)
    .map(([name, type]) => `${text(name)}: ${text(type)}`)
    .join(', ')}}`;
