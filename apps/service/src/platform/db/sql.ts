/**
 * SQL text with its values apart. Only `sql` and `rawSql` make one, so a value never becomes part of the text; pieces
 * nest. Each distinct text is one prepared statement: texts come from code alone, never from input, so their number is
 * bounded.
 */
class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

export type { Sql };

export const sql = (strings: TemplateStringsArray, ...values: readonly unknown[]): Sql =>
  new Sql(strings, values);

/** Only for `columns.ts`, which builds texts from names in the code. */
export const rawSql = (strings: readonly string[], values: readonly unknown[]): Sql =>
  new Sql(strings, values);

/** Conditions that must all hold; there is always one, the organization's. */
export const allOf = (conditions: readonly [Sql, ...Sql[]]): Sql =>
  conditions.reduce((all, condition) => sql`${all} and ${condition}`);

/**
 * For an ordered list; it may read more than `rows`, and the caller drops those beyond. Without filters, the number is in
 * the text: if it were a parameter, PostgreSQL would expect a tenth of the organization's rows, find a plan for any
 * value too dear, and plan the list at every execution, which takes longer than to execute it. With filters it should
 * plan, because the best index depends on their values.
 */
export const listLimit = (rows: number, isFiltered: boolean): Sql => {
  if (isFiltered || rows > 101) return sql`limit ${rows}`;
  return rows <= 21 ? sql`limit 21` : rows <= 51 ? sql`limit 51` : sql`limit 101`;
};

/** jsonb is passed as text: the driver would send a JavaScript array as a PostgreSQL array. */
export const json = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);

const nameOfText = new Map<string, string>();
const flatTexts = new WeakMap<readonly string[], string>();

export type Statement = {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
};

export function toStatement(query: Sql): Statement {
  const values: unknown[] = [];
  const text = render(query, values);
  let name = nameOfText.get(text);
  if (name === undefined) {
    name = `s${nameOfText.size}`;
    nameOfText.set(text, name);
  }
  return { name, text, values };
}

function render(query: Sql, values: unknown[]): string {
  const isFlat = values.length === 0 && !query.values.some((value) => value instanceof Sql);
  const known = isFlat ? flatTexts.get(query.strings) : undefined;
  if (known !== undefined) {
    values.push(...query.values);
    return known;
  }
  let text = query.strings[0] ?? '';
  query.values.forEach((value, i) => {
    text += value instanceof Sql ? render(value, values) : `$${values.push(value)}`;
    text += query.strings[i + 1] ?? '';
  });
  if (isFlat) flatTexts.set(query.strings, text);
  return text;
}
