/**
 * Choices that have a name of their own in the OpenAPI document, so that generated code has one type for each. In
 * answers they may get new values (spec §9.2), and their descriptions say so.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { eventTypes, sentEventTypes } from '../../kernel/event-type.ts';
import { scopes } from '../../kernel/scope.ts';
import { tiers } from '../../kernel/tier.ts';
import { mayGrow, OneOf } from './schema.ts';

export const EventTypeName = OneOf(eventTypes, {
  title: 'EventType',
  description: `The type of an event. \`GET /v1/event_types\` describes each type. ${mayGrow}`,
  examples: ['release.created'],
});

export const SentEventTypeName = OneOf(sentEventTypes, {
  title: 'SentEventType',
  description: `What a webhook can receive: a ping or an event. ${mayGrow}`,
});

export const ScopeName = OneOf(scopes, {
  title: 'Scope',
  description: `What a credential may do. ${mayGrow}`,
});

export const TierName = OneOf(tiers, {
  title: 'Tier',
  description: `The tier of an organization, which sets its rate limits, quotas and features. ${mayGrow}`,
});

/** The kinds of credentials. */
export const CredentialType = OneOf(['api_key', 'oauth_client'], {
  description: `The kind of credential: an API key or an OAuth client. ${mayGrow}`,
});

/** For the fields of the actor of a change. */
export const actorDescriptions = {
  type: 'The kind of actor: `api_key`, `oauth_client`, `operator` (a person who works for us) or `workflow` (a background process of ours).',
  id: 'The id of an API key (`key_…`) or OAuth client (`oac_…`), or the name of an operator or a background process of ours.',
};

/** A use of a named schema, with what it means there. */
export const described = <T extends TSchema>(schema: T, description: string) =>
  Type.Unsafe<Static<T>>({ ...schema, 'x-description-here': description });
