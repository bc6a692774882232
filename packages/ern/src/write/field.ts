/**
 * A value of the model together with its place there. Elements are made of fields, not of bare values, so the writer
 * knows which parts of the model the text it wrote came from.
 */

/** What `Field.at` gives: nothing where the model has nothing. */
type Member<T, K extends keyof T> = undefined extends T[K]
  ? Field<Exclude<T[K], undefined>> | undefined
  : Field<T[K]>;

/** A value and its places, for those who only write it or leave it out. */
export type Source<T> = { readonly value: T; readonly pointers: readonly string[] };

export class Field<T> implements Source<T> {
  readonly value: T;
  /** JSON pointers into the model. Several where one element says what several places say. */
  readonly #pointersOf: () => readonly string[];
  #pointers: readonly string[] | undefined;

  constructor(value: T, pointersOf: () => readonly string[]) {
    this.value = value;
    this.#pointersOf = pointersOf;
  }

  static root<T>(value: T): Field<T> {
    return new Field(value, () => ['']);
  }

  /** The fields have equal values: one element stands for all of them. */
  static merge<T>(fields: readonly [Field<T>, ...Field<T>[]]): Field<T> {
    return new Field(fields[0].value, () => fields.flatMap((field) => field.pointers));
  }

  get pointers(): readonly string[] {
    this.#pointers ??= this.#pointersOf();
    return this.#pointers;
  }

  at<K extends keyof T & string>(key: K): Member<T, K> {
    const value = this.value[key];
    // The type says it: a field where the model has a value, undefined where it has none.
    return (value === undefined ? undefined : this.to(key, value)) as Member<T, K>;
  }

  /** A member that the type of a union does not show. */
  to<V>(key: string | number, value: V): Field<V> {
    return new Field(value, () => {
      const token = escapeToken(String(key));
      return this.pointers.map((pointer) => `${pointer}/${token}`);
    });
  }

  /** The same place, said in another form. */
  map<V>(change: (value: T) => V): Field<V> {
    return new Field(change(this.value), () => this.pointers);
  }
}

export const itemsOf = <T>(list: Field<readonly T[]> | undefined): readonly Field<T>[] =>
  list === undefined ? [] : list.value.map((item, i) => list.to(i, item));

/** RFC 6901. */
const escapeToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Pointers of all values in the model that are not objects or lists, in the order of the model. */
export function leafPointersOf(value: unknown, pointer = ''): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => leafPointersOf(item, `${pointer}/${i}`));
  }
  if (typeof value !== 'object' || value === null) return [pointer];
  return Object.entries(value).flatMap(([key, member]) =>
    leafPointersOf(member, `${pointer}/${escapeToken(key)}`),
  );
}
