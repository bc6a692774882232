/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type {
  ChangelogEntryList,
  ContributorRoleList,
  ErrorCodeList,
  EventTypeList,
  GenreList,
  PreflightRuleList,
} from '../schema.ts';

/** Reference. */
export class ReferenceResource extends Resource {
  /**
   * List preflight rules.
   *
   * Returns every rule of preflight and of the review, in the order of a report. The guide at /docs/guides/preflight explains them.
   *
   * Public.
   *
   * @see operation `listPreflightRules`
   */
  listPreflightRules(options?: RequestOptions): ApiCall<PreflightRuleList> {
    return this.client.call({ method: 'GET', path: '/v1/preflight_rules', options });
  }

  /**
   * List the roles of contributors.
   *
   * Returns the values of `roles` and `instruments` of contributors, each with its name in DDEX. Stores require credits by `group`.
   *
   * Public.
   *
   * @see operation `listContributorRoles`
   */
  listContributorRoles(options?: RequestOptions): ApiCall<ContributorRoleList> {
    return this.client.call({ method: 'GET', path: '/v1/contributor_roles', options });
  }

  /**
   * List event types.
   *
   * Returns every event type with the JSON Schema of its `data` and an example.
   *
   * Public.
   *
   * @see operation `listEventTypes`
   */
  listEventTypes(options?: RequestOptions): ApiCall<EventTypeList> {
    return this.client.call({ method: 'GET', path: '/v1/event_types', options });
  }

  /**
   * List error codes.
   *
   * Returns every error code with its HTTP status, its cause and how to correct it.
   *
   * Public.
   *
   * @see operation `listErrorCodes`
   */
  listErrorCodes(options?: RequestOptions): ApiCall<ErrorCodeList> {
    return this.client.call({ method: 'GET', path: '/v1/error_codes', options });
  }

  /**
   * Read the changelog.
   *
   * Returns every entry of the changelog, newest first. A deprecated feature has the date on which it stops working.
   *
   * Public.
   *
   * @see operation `listChangelog`
   */
  listChangelog(options?: RequestOptions): ApiCall<ChangelogEntryList> {
    return this.client.call({ method: 'GET', path: '/v1/changelog', options });
  }

  /**
   * List genres.
   *
   * Returns the genres that you can send, with their subgenres and the name of each at every store.
   *
   * Public.
   *
   * @see operation `listGenres`
   */
  listGenres(options?: RequestOptions): ApiCall<GenreList> {
    return this.client.call({ method: 'GET', path: '/v1/genres', options });
  }
}
