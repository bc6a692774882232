/**
 * Rules of the domain that need nothing but the body, such as the check digit of a UPC. They stand in the schema
 * (`x-rule`), and run only for a body that the schema refuses: then the answer lists their violations too, and the
 * partner does not meet them one try later. A body that the schema accepts is judged by its command, as ever.
 */

import type { TSchema } from 'typebox';
import { type Refusal, type Violation, violationsMax } from '../../kernel/problem.ts';
import { join } from './field-path.ts';

/** Receives only values that the schema accepts. `field`: the path of the value. */
type BodyRule<Value = unknown> = (value: Value, field: string) => Refusal | undefined;

/** For the options of a schema. */
export const withRule = <Value>(rule: BodyRule<Value>) => ({ 'x-rule': rule });

type Schema = {
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-rule'?: BodyRule;
};

/** The rules of a value, of its fields and of its items. */
type Outline = {
  readonly rules: readonly BodyRule[];
  readonly fields: readonly (readonly [name: string, outline: Outline])[];
  readonly items: Outline | undefined;
};

export type FindRuleViolations = (
  body: object,
  /** Whether the schema refuses the value at this path, or one inside it. */
  isRefused: (field: string) => boolean,
) => Violation[];

export function compileBodyRules(shape: TSchema): FindRuleViolations {
  const outline = outlineOf(shape);
  return (body, isRefused) => {
    const violations: Violation[] = [];
    if (outline !== undefined) visit(outline, body, '', { isRefused, violations });
    return violations;
  };
}

/** Undefined: there is no rule in it. */
function outlineOf(schema: Schema): Outline | undefined {
  const branches = schema.properties === undefined ? (schema.anyOf ?? []) : [];
  const inner = branches.map(outlineOf).filter((each) => each !== undefined);
  const own = schema['x-rule'];
  const rules = [...(own === undefined ? [] : [own]), ...inner.flatMap((each) => each.rules)];
  const fields = [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const found = outlineOf(field);
      return found === undefined ? [] : [[name, found] as const];
    }),
    ...inner.flatMap((each) => each.fields),
  ];
  const items =
    schema.items === undefined
      ? inner.find((each) => each.items !== undefined)?.items
      : outlineOf(schema.items);
  if (rules.length === 0 && fields.length === 0 && items === undefined) return undefined;
  return { rules, fields, items };
}

type Walk = {
  readonly isRefused: (field: string) => boolean;
  readonly violations: Violation[];
};

function visit({ rules, fields, items }: Outline, value: unknown, at: string, walk: Walk): void {
  if (value === null || value === undefined || walk.violations.length >= violationsMax) return;
  if (rules.length > 0 && !walk.isRefused(at)) {
    for (const rule of rules) walk.violations.push(...(rule(value, at)?.details ?? []));
  }
  if (Array.isArray(value)) {
    if (items === undefined) return;
    for (const [i, item] of value.entries()) visit(items, item, `${at}[${i}]`, walk);
  } else if (typeof value === 'object') {
    for (const [name, outline] of fields) {
      if (Object.hasOwn(value, name)) {
        visit(outline, (value as Record<string, unknown>)[name], join(at, name), walk);
      }
    }
  }
}
