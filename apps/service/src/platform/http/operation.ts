/**
 * An operation is a route with everything said about it in one place: path, scope, schemas, answers
 * and the problems of its own. Validation, authentication and the API reference all read it.
 */

import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Caller } from './caller.ts';

type Shape = TObject | undefined;

/** As it was sent: not validated yet. */
export type RawRequest = { readonly params: unknown; readonly body: unknown };

export type Operation<Params extends Shape, Query extends Shape, Body extends Shape> = {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly scope: Scope | 'public';
  /** Where one scope is not enough. */
  readonly alsoNeeds?: readonly Scope[];
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Only on a public route that takes any bytes: on whose behalf, by its path. Counted for them, and for
   * the sender's address when the path names nobody, which it throws.
   */
  readonly ownerOf?: (params: unknown) => Promise<Caller>;
  /** Where it may be larger than usual. */
  readonly bodyBytesMax?: number;
  /** Contract §10: the headers for a request that uses something deprecated, on whatever it is answered. */
  readonly deprecation?: (request: RawRequest) => Readonly<Record<string, string>> | undefined;
  /** The success, by status. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  /** Problems beyond those any route may answer. */
  readonly problems: readonly ProblemCode[];
};

export type AnyOperation = Operation<Shape, Shape, Shape>;

export type Input<Params extends Shape, Query extends Shape, Body extends Shape> = {
  readonly caller: Caller;
  readonly params: Params extends TObject ? Static<Params> : undefined;
  readonly query: Query extends TObject ? Static<Query> : undefined;
  readonly body: Body extends TObject ? Static<Body> : undefined;
  readonly ifMatch: string | undefined;
};
