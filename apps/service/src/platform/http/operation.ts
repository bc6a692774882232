/**
 * An operation describes a route in one place: path, scope, schemas, answers and its own problems. Validation,
 * authentication and the API reference read it.
 */

import type { Static, TObject, TSchema } from 'typebox';
import type { ProblemCode } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Caller } from './caller.ts';

type Shape = TObject | undefined;

/** Not validated yet. */
export type RawRequest = { readonly params: unknown; readonly body: unknown };

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
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Only on a public route that accepts any bytes: the organization that its path belongs to. Requests are counted for
   * that organization. It throws for an unknown path, which is counted for the sender's address.
   */
  readonly ownerOf?: (params: unknown) => Promise<Caller>;
  /** Undefined: the limit of every route, 256 KiB. */
  readonly bodyBytesMax?: number;
  /** Contract §10: the headers for a request that uses a deprecated feature, on every answer to it. */
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
