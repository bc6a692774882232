/**
 * Contract §1 for every text of a body or a query, in one walk before the schema is checked. Each text becomes NFC, so
 * that lengths and patterns are checked on what is stored, and a forbidden character is a violation. `x-text` in the
 * schema marks the exceptions. The walk follows an outline of the schema, which is made once per route.
 */

import type { TSchema } from 'typebox';
import { type Violation, violationsMax } from '../../kernel/problem.ts';
import { forbiddenCharacterIn, hasVisibleCharacter, isUnusual, toNfc } from '../../kernel/text.ts';
import { fieldAt } from './field-path.ts';
import { notBlank, type TextRule } from './schema.ts';

type Schema = {
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly 'x-text'?: TextRule;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
};

/** The text rules of a value, of its named fields, of its other fields, and of its items. */
type Outline = {
  readonly rule?: TextRule | undefined;
  readonly needsVisible?: boolean;
  readonly fields?: ReadonlyMap<string, Outline>;
  readonly others?: Outline | undefined;
  readonly items?: Outline | undefined;
  /** How many fields or items the schema allows. */
  readonly countMax?: number | undefined;
};

/** For a field that the schema does not have: it is refused later. */
const unnamed: Outline = {};

export type NormalizeTexts = (value: object) => Violation[];

/** Normalizes the texts of the value in place; returns their violations. */
export function compileTextRules(shape: TSchema): NormalizeTexts {
  const outline = outlineOf(shape);
  return (value) => {
    const violations: Violation[] = [];
    visitFields(outline, value, { names: [], violations });
    return violations;
  };
}

/** The branches of a union become one outline: a text has the rule of the string branch. */
function outlineOf(schema: Schema): Outline {
  // An object with alternatives names its fields itself.
  if (schema.anyOf !== undefined && schema.properties === undefined) {
    const branches = schema.anyOf.filter(({ type }) => type !== 'null').map(outlineOf);
    return Object.assign({}, ...branches) as Outline;
  }
  const [others] = Object.values(schema.patternProperties ?? {});
  const countMax = schema.maxItems ?? schema.maxProperties;
  return {
    ...(countMax !== undefined && { countMax }),
    ...(schema.type === 'string' && {
      rule: schema['x-text'],
      needsVisible: schema.pattern === notBlank,
    }),
    ...(schema.properties !== undefined && {
      fields: new Map(
        Object.entries(schema.properties).map(([name, inner]) => [name, outlineOf(inner)]),
      ),
    }),
    ...(others !== undefined && { others: outlineOf(others) }),
    ...(schema.items !== undefined && { items: outlineOf(schema.items) }),
  };
}

type Walk = { readonly names: string[]; readonly violations: Violation[] };

function visitFields(outline: Outline, holder: object, walk: Walk): void {
  const values = holder as Record<string | number, unknown>;
  const names = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
  for (const name of names) {
    if (walk.violations.length === violationsMax) return;
    const value = values[name];
    // Most texts have only usual characters: there is nothing to do.
    const isText = typeof value === 'string' && isUnusual(value);
    const isHolder = typeof value === 'object' && value !== null;
    if (!isText && !isHolder) continue;
    const inner = outlineIn(outline, name) ?? unnamed;
    walk.names.push(String(name));
    if (isText) values[name] = normalized(inner, value, walk);
    if (isHolder && isExpected(inner, value)) visitFields(inner, value, walk);
    walk.names.pop();
  }
}

const outlineIn = ({ items, fields, others }: Outline, name: string | number) =>
  typeof name === 'number' ? items : (fields?.get(name) ?? others);

/** Texts are skipped in values that the schema refuses anyway: a list in place of a text, or one that is too long. */
const isExpected = ({ items, fields, others, countMax = Infinity }: Outline, value: object) =>
  Array.isArray(value)
    ? items !== undefined && value.length <= countMax
    : (fields ?? others) !== undefined && Object.keys(value).length <= countMax;

function normalized({ rule, needsVisible }: Outline, text: string, walk: Walk): string {
  if (rule === 'verbatim') return text;
  const issue = issueOf(text, rule === 'multiline', needsVisible === true);
  if (issue !== undefined) walk.violations.push({ field: fieldAt(walk.names), issue });
  return toNfc(text);
}

function issueOf(text: string, isMultiline: boolean, needsVisible: boolean): string | undefined {
  const character = forbiddenCharacterIn(text, { isMultiline });
  if (character !== undefined) return `must not contain ${character}`;
  return needsVisible && !hasVisibleCharacter(text)
    ? 'must contain a visible character'
    : undefined;
}
