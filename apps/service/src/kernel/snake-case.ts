/** Names of fields: camelCase in code, snake_case on the wire and in SQL. */

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Name;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type SnakeCaseKeys<T> = {
  [Name in keyof T as Name extends string ? SnakeCase<Name> : never]: T[Name];
};
type CamelCaseKeys<T> = {
  [Name in keyof T as Name extends string ? CamelCase<Name> : never]: T[Name];
};

/** `releaseDate` → `release_date`. */
export const toSnakeCase = <Name extends string>(name: Name): SnakeCase<Name> =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A function that copies these fields, in their order, under their snake_case names. */
export function snakeCaseCopier<Name extends string>(fields: readonly Name[]) {
  const names = fields.map((field) => [field, toSnakeCase(field)] as const);
  return <T extends Readonly<Record<Name, unknown>>>(value: T): SnakeCaseKeys<Pick<T, Name>> => {
    const copy: Record<string, unknown> = {};
    for (const [field, name] of names) copy[name] = value[field];
    return copy as SnakeCaseKeys<Pick<T, Name>>;
  };
}

/** Renames the fields of the object itself, not those of objects inside it. */
export function toCamelCaseKeys<T extends object>(value: T): CamelCaseKeys<T> {
  const renamed: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) renamed[toCamelCase(name)] = each;
  return renamed as CamelCaseKeys<T>;
}
