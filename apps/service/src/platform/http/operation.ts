/**
 * An operation describes a route in one place: path, scope, schemas, answers and its own problems. Validation,
 * authentication and the API reference read it.
 */

import type { Static, TObject, TSchema } from 'typebox';
import type { Effect, EffectCondition } from '../../kernel/effect.ts';
import type { Problem, ProblemCode } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Tier } from '../../kernel/tier.ts';
import type { Answer } from './answer.ts';
import type { Caller } from './caller.ts';
import type { DeprecatedUse } from './deprecation.ts';

type Shape = TObject | undefined;

export type Operation<Params extends Shape, Query extends Shape, Body extends Shape> = {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly scope: Scope | 'public';
  /** More scopes, if one is not enough. */
  readonly alsoNeeds?: readonly Scope[];
  /** The lowest tier that may use it. Undefined: every tier. */
  readonly tier?: Tier;
  /** Names the change in the audit log. Undefined: the operation only reads, and a suspended organization may use it. */
  readonly action?: string;
  /** Undefined: it is a GET, which `reads`. */
  readonly effect?: Effect;
  readonly effectIf?: EffectCondition;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The field of the body that may be sent alone, as `application/xml` (`xml-body.ts`). */
  readonly xmlField?: string;
  /** A form (`application/x-www-form-urlencoded`) instead of a JSON body; its handler checks it. */
  readonly form?: TObject;
  /** Undefined: the envelope of spec §7. */
  readonly ownRefusals?: OwnRefusals;
  /** Counts unauthenticated requests of this route apart from those of other routes, under this name. */
  readonly ownCounter?: string;
  /**
   * Only on a public route that accepts any bytes: the organization that its path belongs to. Requests are counted for
   * that organization. It throws for an unknown path, which is counted for the sender's address.
   */
  readonly ownerOf?: (params: unknown) => Promise<Caller>;
  /** The request log does not keep the body of a refused request: a bank number may be in any of its fields. */
  readonly forgetsRefusedBodies?: true;
  /** Undefined: the limit of every route, 256 KiB. */
  readonly bodyBytesMax?: number;
  /** The deprecated features that a request may use (contract §10). */
  readonly deprecations?: readonly DeprecatedUse[];
  /** The success, by status. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Of a success. Undefined: application/json. */
  readonly mediaType?: string;
  /** Problems beyond those any route may answer. */
  readonly problems: readonly ProblemCode[];
  /** A test sends them to the api, and fails for an operation without them. */
  readonly examples?: OperationExamples;
};

/** Valid, and part of the story that all examples tell (`kernel/example-story.ts`). Path parameters have their own. */
export type OperationExamples = {
  /** Or of the form. */
  readonly body?: object;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Of the success; of JSON lines, one of them; of CSV, its text. Undefined: it has no content. */
  readonly answer?: object | string;
};

/** For a route whose clients expect another form of error than the envelope. */
export type OwnRefusals = {
  readonly schema: TSchema;
  /** When each status is answered, for the API reference. */
  readonly statuses: Readonly<Record<number, string>>;
  readonly present: (problem: Problem, docsOrigin: string) => Answer;
};

export type AnyOperation = Operation<Shape, Shape, Shape>;

export type Input<Params extends Shape, Query extends Shape, Body extends Shape> = {
  readonly caller: Caller;
  readonly params: Params extends TObject ? Static<Params> : undefined;
  readonly query: Query extends TObject ? Static<Query> : undefined;
  readonly body: Body extends TObject ? Static<Body> : undefined;
  readonly ifMatch: string | undefined;
};
