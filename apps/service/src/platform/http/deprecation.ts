/**
 * Uses of deprecated features (contract §10). Every answer to a use has the headers, also a refusal for another
 * reason; the use is recorded for its organization before it is answered. Once a feature has been removed, a request that
 * uses it is refused for that, not for another mistake in its body: the partner would correct the mistake and fail again.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { deprecatedFeatures, type FeatureName, startOf } from '../../kernel/deprecation.ts';
import type { RequestId } from '../../kernel/ids.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import type { Caller } from './caller.ts';

/** Not validated yet. */
type RawRequest = {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

/** How one route uses one deprecated feature. */
export type DeprecatedUse = {
  readonly feature: FeatureName;
  readonly isUsedBy: (request: RawRequest) => boolean;
  /** Whether a parameter of the path can stand in the link. */
  readonly isLinkable: (request: RawRequest) => boolean;
  /** The refusal, if the feature has been removed in the business time of the caller. */
  readonly refuseRemoved: (caller: Caller) => Promise<Refusal | undefined>;
};

/** Never throws: a use that cannot be recorded is answered like any other. */
export type RecordDeprecatedUse = (
  feature: FeatureName,
  caller: Caller,
  requestId: RequestId,
) => Promise<void>;

/** Sets the headers; returns the features that the request uses. */
export function announceDeprecations(
  uses: readonly DeprecatedUse[],
  request: FastifyRequest,
  reply: FastifyReply,
): FeatureName[] {
  const used = uses.filter(({ isUsedBy }) => isUsedBy(request));
  if (used.length > 0) void reply.headers(headersOf(used, request));
  return used.map(({ feature }) => feature);
}

/** Of several features, the dates of the one that ends first. */
function headersOf(used: readonly DeprecatedUse[], request: RawRequest): Record<string, string> {
  const [first] = used
    .map(({ feature }) => deprecatedFeatures[feature])
    .toSorted((a, b) => (a.sunsetOn < b.sunsetOn ? -1 : 1));
  if (first === undefined) return {};
  const links = used
    .filter(({ isLinkable }) => isLinkable(request))
    .map(({ feature }) => linkOf(feature, request));
  return {
    deprecation: `@${startOf(first.deprecatedOn).getTime() / 1000}`,
    sunset: startOf(first.sunsetOn).toUTCString(),
    ...(links.length > 0 && { link: links.join(', ') }),
  };
}

function linkOf(feature: FeatureName, { params }: RawRequest): string {
  // Parameters of a path are texts.
  const values = params as Readonly<Record<string, string>>;
  const path = deprecatedFeatures[feature].successor.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? '',
  );
  return `<${path}>; rel="successor-version"`;
}

/** Throws instead of the validation error if the request uses a removed feature. */
export async function refuseRemovedFeatures(
  uses: readonly DeprecatedUse[],
  request: FastifyRequest,
): Promise<void> {
  const { caller } = request;
  if (caller === undefined) return;
  for (const { isUsedBy, refuseRemoved } of uses) {
    if (isUsedBy(request)) enforce(await refuseRemoved(caller));
  }
}
