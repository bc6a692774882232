/**
 * Packs small integers into as few BIGINTs as possible: DuckDB groups and sorts a wide key of texts several times slower.
 * Fields are packed from the most significant one, so the order of the packed key is the order of the fields.
 */

export type KeyField = {
  readonly name: string;
  /** An expression of DuckDB with a value from 0 to `size` − 1. */
  readonly value: string;
  readonly size: number;
};

export type PackedKey = {
  /** The expressions of `k0`, `k1`, …: pack on selecting from the rows. */
  readonly pack: readonly string[];
  /** Expression of a field, by name, over the columns `k0`, `k1`, …. */
  readonly unpack: ReadonlyMap<string, string>;
  readonly columns: readonly string[];
};

const wordLimit = 2n ** 62n;

export function packKey(fields: readonly KeyField[]): PackedKey {
  const words: KeyField[][] = [];
  let space = 0n;
  for (const field of fields) {
    const size = BigInt(field.size);
    space *= size;
    if (space === 0n || space > wordLimit) {
      words.push([]);
      space = size;
    }
    words.at(-1)?.push(field);
  }
  return {
    pack: words.map(
      (word, index) =>
        `${word.reduce((packed, { value, size }) => (packed === '' ? `(${value})::bigint` : `(${packed}) * ${size} + (${value})`), '')} as k${index}`,
    ),
    unpack: new Map(words.flatMap((word, index) => unpackWord(word, `k${index}`))),
    columns: words.map((_, index) => `k${index}`),
  };
}

function unpackWord(word: readonly KeyField[], column: string): [string, string][] {
  let below = 1n;
  return word.toReversed().map(({ name, size }) => {
    const expression = `(${column} // ${below} % ${size})`;
    below *= BigInt(size);
    return [name, expression];
  });
}
