/**
 * The columns of a table, named once: the same list feeds `select`, `insert` and `update`, so no value can end up in
 * the wrong column. A field `releaseDate` is stored in the column `release_date`.
 */

import { toUuid, toWire } from '../../kernel/ids.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import type { Tx } from './database.ts';
import { json, rawSql, type Sql } from './sql.ts';

/** How a field is stored: `read` takes what the driver returns, `write` what the driver binds. */
export type Column<T> = {
  readonly read: (stored: never) => T;
  readonly write: (value: T) => unknown;
  /** Where a field within a JSON document differs from `write`. */
  readonly toJson?: (value: T) => unknown;
};

/** Values by column name. */
export type Row = Readonly<Record<string, unknown>>;

export type Columns<T> = {
  /** For `select ${columns.names} from …`. */
  readonly names: Sql;
  readonly read: (row: Row) => T;
  readonly write: (value: T) => Row;
  /** For `update … set ${columns.assignFrom('source')} from … as source`; `fixed` names the fields that never change. */
  readonly assignFrom: (source: string, fixed?: readonly (keyof T)[]) => Sql;
  /** One element of the list that `jsonb_populate_recordset` takes. */
  readonly toJson: (value: T) => Row;
};

const same = <T>(value: T): T => value;

/** Stored as it is: text, numbers, booleans, dates, arrays of text. */
export const plain = <T>(): Column<T> => ({ read: same<T>, write: same });

export const jsonb = <T>(): Column<T> => ({ read: same<T>, write: json, toJson: same });

/** A `uuid` column with an id that carries its prefix on the wire. */
export const idColumn = <Prefix extends string>(prefix: Prefix) => ({
  read: (stored: string) => toWire(prefix, stored),
  write: toUuid,
});

export const nullable = <T>({ read, write, toJson = write }: Column<T>): Column<T | null> => ({
  read: (stored: never) => (stored === null ? null : read(stored)),
  write: (value) => (value === null ? null : write(value)),
  toJson: (value) => (value === null ? null : toJson(value)),
});

/** A column for each field. */
export type ColumnsOf<T> = { readonly [K in keyof T]-?: Column<T[K]> };

export function defineColumns<T>(columns: ColumnsOf<T>): Columns<T> {
  const fields = (Object.keys(columns) as (keyof T & string)[]).map((field) => ({
    field,
    name: toSnakeCase(field),
    column: columns[field] as Column<T[keyof T & string]>,
  }));
  return {
    names: rawSql([fields.map(({ name }) => name).join(', ')], []),
    read: (row) => {
      const value: Partial<T> = {};
      for (const { field, name, column } of fields) value[field] = column.read(row[name] as never);
      return value as T;
    },
    write: (value) => {
      const row: Record<string, unknown> = {};
      for (const { field, name, column } of fields) row[name] = column.write(value[field]);
      return row;
    },
    assignFrom: (source, fixed = []) => {
      const changing = fields.filter(({ field }) => !fixed.includes(field));
      return rawSql([changing.map(({ name }) => `${name} = ${source}.${name}`).join(', ')], []);
    },
    toJson: (value) => {
      const row: Record<string, unknown> = {};
      for (const { field, name, column } of fields) {
        row[name] = (column.toJson ?? column.write)(value[field]);
      }
      return row;
    },
  };
}

/** The two columns that name who changed a row. */
export const actorColumns = ({ actor }: Pick<Tx, 'actor'>) => ({
  actor_type: actor.type,
  actor_id: actor.id,
});

/** One text for each table and list of columns, so that it stays one prepared statement. */
const texts = new Map<string, readonly string[]>();

function cached(key: string, build: () => readonly string[]): readonly string[] {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const built = build();
  texts.set(key, built);
  return built;
}

export function insertInto(table: string, row: Row): Sql {
  const names = Object.keys(row).join(', ');
  const strings = cached(`insert ${table} ${names}`, () => [
    `insert into ${table} (${names}) values (`,
    ...Array.from({ length: Object.keys(row).length - 1 }, () => ', '),
    ')',
  ]);
  return rawSql(strings, Object.values(row));
}

/** Updates the rows whose columns equal `key`. */
export function updateWhere(table: string, changes: Row, key: Row): Sql {
  const [changed, keyed] = [Object.keys(changes), Object.keys(key)];
  const strings = cached(`update ${table} ${changed.join(', ')} where ${keyed.join(', ')}`, () => [
    ...changed.map((name, i) => (i === 0 ? `update ${table} set ${name} = ` : `, ${name} = `)),
    ...keyed.map((name, i) => (i === 0 ? ` where ${name} = ` : ` and ${name} = `)),
    '',
  ]);
  return rawSql(strings, [...Object.values(changes), ...Object.values(key)]);
}
