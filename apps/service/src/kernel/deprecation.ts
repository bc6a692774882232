/**
 * The deprecated features of the API (spec §9, contract §10). This registry is the only place that names them: the
 * `Deprecation`, `Sunset` and `Link` headers, the changelog, GET /v1/organization/deprecations and the comparison of
 * OpenAPI documents (`npm run openapi:diff`) read it.
 */

import type { CalendarDate } from './calendar-date.ts';

export type DeprecatedFeature = {
  /** What is deprecated, as a sentence for partners. */
  readonly description: string;
  readonly deprecatedOn: CalendarDate;
  /** The feature is not removed before this day. */
  readonly sunsetOn: CalendarDate;
  /** The path to use instead. Parameters in braces are those of the request. */
  readonly successor: string;
  /** What the OpenAPI document may lose from `sunsetOn` on, each as `npm run openapi:diff` prints it. */
  readonly covers: readonly string[];
};

export const deprecatedFeatures = {
  release_status_in_patch: {
    description: 'Status submitted in PATCH /v1/releases/{release_id}.',
    deprecatedOn: '2024-04-15',
    sunsetOn: '2024-09-01',
    successor: '/v1/releases/{release_id}/submit',
    covers: ['PATCH /v1/releases/{release_id} body status'],
  },
  royalties_page_parameters: {
    description: 'Royalties: page and per_page.',
    deprecatedOn: '2024-06-01',
    sunsetOn: '2028-01-01',
    successor: '/v1/royalties',
    covers: ['GET /v1/royalties query page', 'GET /v1/royalties query per_page'],
  },
} as const satisfies Readonly<Record<string, DeprecatedFeature>>;

export type FeatureName = keyof typeof deprecatedFeatures;
export const featureNames = Object.keys(deprecatedFeatures) as readonly FeatureName[];

/** Spec §9.3: breaking changes are announced at least this many days in advance. */
export const noticeDaysMin = 90;

/** A day of the registry begins at midnight, UTC. */
export const startOf = (date: CalendarDate): Date => new Date(`${date}T00:00:00Z`);

export const isPastSunset = (feature: FeatureName, now: Date): boolean =>
  now >= startOf(deprecatedFeatures[feature].sunsetOn);
