/** Tables of the fields that a partner may leave out: they give the type, the names, the order and the value null. */

type Optional<T> = T | null;

/** A field of this type that nothing was sent for. */
export const unset = <T>(): Optional<T> => null;

/** Object.keys returns any strings; a table is closed, so these are its names. */
export const namesOf = <Table extends object>(table: Table) =>
  Object.keys(table) as (keyof Table & string)[];
