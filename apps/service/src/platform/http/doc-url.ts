/** The address of the page about an error code, which every refusal has as `doc_url`. */

import type { ProblemCode } from '../../kernel/problem.ts';

const page = '/docs/guides/errors';

/** `origin`: `publicOriginOf` the request; empty where none is known. */
export const docUrlOf = (origin: string, code: ProblemCode): string => `${origin}${page}#${code}`;

/** In a text that is redacted: the address of a page contains no secret, so it is kept whole. */
export const docUrlPattern =
  /https?:\/\/[a-z0-9.:[\]-]{1,261}\/docs\/guides\/errors#[a-z_]{1,60}(?![^\s"'\\<>])/gi;
export const isDocPath = (rest: string): boolean =>
  /^\/docs\/guides\/errors#[a-z_]{1,60}$/.test(rest);
