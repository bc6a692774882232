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

const snakeCaseNames = new Map<string, string>();

/** `releaseDate` → `release_date`. For names in the code, never for input: each is remembered. */
export function toSnakeCase<Name extends string>(name: Name): SnakeCase<Name> {
  let snake = snakeCaseNames.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeCaseNames.set(name, snake);
  }
  return snake as SnakeCase<Name>;
}

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const renameKeys = (value: object, rename: (name: string) => string): object => {
  const renamed: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) renamed[rename(name)] = each;
  return renamed;
};

/** Renames the fields of the object itself, not those of objects inside it. */
export const toSnakeCaseKeys = <T extends object>(value: T): SnakeCaseKeys<T> =>
  renameKeys(value, toSnakeCase) as SnakeCaseKeys<T>;

/** Renames the fields of the object itself, not those of objects inside it. */
export const toCamelCaseKeys = <T extends object>(value: T): CamelCaseKeys<T> =>
  renameKeys(value, toCamelCase) as CamelCaseKeys<T>;
