/** Values that violate a schema, one for each keyword in it: for tests of what a refusal says. */

type Schema = {
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
};

/** `keyword` may be of a value inside. */
export type Violating = { readonly keyword: string; readonly value: unknown };

const of = (keyword: string, value: unknown): Violating => ({ keyword, value });

const numbered = (count: number, item: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => item(i));

export function violatingValues(schema: Schema): Violating[] {
  const branches = schema.properties === undefined ? (schema.anyOf ?? []) : [];
  if (branches.length > 0) {
    const values = branches.filter(({ type }) => type !== 'null').flatMap(violatingValues);
    // A value of the wrong type for one branch may be right for another.
    return branches.length > 2 || !branches.some(({ type }) => type === 'null')
      ? [...values.filter(({ keyword }) => keyword !== 'type'), of('type', 5)]
      : values;
  }
  switch (schema.type) {
    case 'string':
      return ofText(schema);
    case 'integer':
      return ofInteger(schema);
    case 'array':
      return ofList(schema);
    case 'object':
      return ofObject(schema);
    default:
      return [of('type', { wrong: true })];
  }
}

const ofText = ({ enum: values, pattern, format, minLength, maxLength }: Schema): Violating[] => [
  of('type', 5),
  ...(values === undefined ? [] : [of('enum', 'none_of_them')]),
  ...(pattern === undefined ? [] : [of('pattern', pattern === '\\S' ? ' ' : '!!')]),
  ...(format === undefined ? [] : [of('format', '!!')]),
  ...(minLength === undefined ? [] : [of('minLength', '')]),
  ...(maxLength === undefined ? [] : [of('maxLength', 'x'.repeat(maxLength + 1))]),
];

const ofInteger = ({ minimum, maximum }: Schema): Violating[] => [
  of('type', 'many'),
  ...(minimum === undefined ? [] : [of('minimum', minimum - 1)]),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
    ? []
    : [of('maximum', maximum + 1)]),
];

function ofList({ items = {}, minItems, maxItems, uniqueItems, examples }: Schema): Violating[] {
  const [item = items.enum?.[0] ?? 'x'] = (examples?.[0] as unknown[] | undefined) ?? [];
  return [
    of('type', 'x'),
    ...(minItems === undefined ? [] : [of('minItems', [])]),
    ...(maxItems === undefined
      ? []
      : [
          of(
            'maxItems',
            numbered(maxItems + 1, (i) => `x${i}`),
          ),
        ]),
    ...(uniqueItems === true ? [of('uniqueItems', [item, item])] : []),
    ...violatingValues(items).map(({ keyword, value }) => of(keyword, [value])),
  ];
}

function ofObject({ properties = {}, patternProperties = {}, maxProperties }: Schema): Violating[] {
  const [entry] = Object.values(patternProperties);
  const many = Object.fromEntries(numbered((maxProperties ?? 0) + 1, (i) => [`k${i}`, 'x']) as []);
  return [
    of('type', 'x'),
    ...(maxProperties === undefined ? [] : [of('maxProperties', many)]),
    ...(entry === undefined ? [] : [of('key', { '!!': 'x' })]),
    ...(entry === undefined
      ? []
      : violatingValues(entry).map(({ keyword, value }) => of(keyword, { aurora: value }))),
    ...Object.entries(properties).flatMap(([name, field]) =>
      violatingValues(field).map(({ keyword, value }) => of(keyword, { [name]: value })),
    ),
  ];
}
