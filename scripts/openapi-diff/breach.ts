/** What is compared, and what a comparison finds. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly uniqueItems?: boolean;
} & Partial<Readonly<Record<Limit, number>>>;

export type UpperLimit = 'maxLength' | 'maxItems' | 'maximum' | 'maxProperties';
export type LowerLimit = 'minLength' | 'minItems' | 'minimum' | 'minProperties';
type Limit = UpperLimit | LowerLimit;
/** Whether a client sends or reads the value. */
export type Direction = 'request' | 'response';

export const breachKinds = [
  'path_removed',
  'operation_removed',
  'scope_added',
  'tier_added',
  'parameter_removed',
  'parameter_required',
  'body_removed',
  'body_required',
  'content_type_removed',
  'status_removed',
  'header_removed',
  'field_removed',
  'field_required',
  'field_optional',
  'field_nullable',
  'null_refused',
  'type_changed',
  'value_removed',
  'limit_narrowed',
  'format_changed',
  'default_changed',
] as const;

export type Breach = {
  readonly kind: (typeof breachKinds)[number];
  /** Where: `PATCH /v1/releases/{release_id} body status`. */
  readonly at: string;
  readonly issue: string;
};

export const breach = (kind: Breach['kind'], at: string, issue: string): Breach => ({
  kind,
  at,
  issue,
});
