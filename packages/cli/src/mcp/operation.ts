/** An operation of the API as the generated catalogue describes it (`generated/catalogue.json`). */

import type { Effect } from './exposure.ts';

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `x-effect-if`: the arguments, at any depth, that give a call its effect. Without one of them it only changes something. */
export type EffectCondition = Readonly<Record<string, readonly unknown[] | 'any'>>;

export type Operation = {
  readonly name: string;
  readonly operationId: string;
  readonly title: string;
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  readonly description: string;
  readonly effect: Effect;
  readonly effectIf?: EffectCondition;
  /** The names of arguments that belong in the path and in the query. All others belong in the body. */
  readonly inPath: readonly string[];
  readonly inQuery: readonly string[];
  readonly hasBody: boolean;
  readonly schema: JsonSchema;
};
