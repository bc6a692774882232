/** The audit log on the wire (contract §4). */

import { Type } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import { actorDescriptions } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  RealTime,
  patterned,
} from '../../platform/http/schema.ts';

const Sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

const fields = {
  id: IdOf('aud'),
  sequence: Type.Integer({
    description: 'Counts the entries of your organization from 1, without gaps.',
  }),
  action: Type.String({
    description: 'The kind of change, written as `resource.verb`.',
    examples: ['release.update'],
  }),
  resource_id: Type.String({
    description:
      'The id of the changed resource, or of your organization if the resource has no id of its own.',
    examples: [exampleIds.rel],
  }),
  actor: Type.Object(
    {
      type: OneOf(['api_key', 'oauth_client', 'operator', 'workflow'], {
        description: actorDescriptions.type,
      }),
      id: Type.String({ description: actorDescriptions.id }),
    },
    { ...closed, title: 'AuditLogActor' },
  ),
  request_id: Nullable(IdOf('req')),
  before_digest: Nullable(
    Sha256(
      'The SHA-256 digest of the resource before the change, as GET returned it. `null`: the change created it.',
    ),
  ),
  after_digest: Nullable(
    Sha256(
      'The SHA-256 digest of the resource after the change, as GET returns it. `null`: the change removed it.',
    ),
  ),
  occurred_at: RealTime('When the change happened.'),
  hash: Sha256('The SHA-256 digest of the hash of the previous entry and the text of this entry.'),
};

const AuditLogEntryBody = Type.Object(fields, { ...closed, title: 'AuditLogEntry' });

export const AuditLogPage = PageOf('AuditLogPage', AuditLogEntryBody);

export const AuditLogLine = Type.Object(
  {
    ...fields,
    previous_hash: Sha256(
      'The hash of the previous entry. In the first entry: the SHA-256 digest of the UUID of your organization.',
    ),
    hashed_text: Type.String({
      description:
        'The text that the hash covers, a JSON array: organization, id, microseconds since 1970, actor type, actor id, action, resource, request, sequence and, if the entry has one, both digests. Ids are UUIDs.',
    }),
  },
  { ...closed, title: 'AuditLogLine' },
);

const sequenceMax = Number.MAX_SAFE_INTEGER;

export const AuditLogQuery = Type.Object(
  {
    actor: Type.Optional(
      Type.String({
        ...patterned('^[A-Za-z0-9_.@-]{1,200}$', 'the id of an actor'),
        description: 'Only changes by the actor with this id.',
        examples: [exampleIds.key],
      }),
    ),
    action: Type.Optional(
      Type.String({
        ...patterned('^[a-z0-9_.-]{1,100}$', 'the name of an action'),
        description: 'Only changes of this kind, for example `release.update`.',
        examples: ['release.update'],
      }),
    ),
    resource: Type.Optional(
      Type.String({
        ...patterned('^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$', 'the id of a resource'),
        description: 'Only changes of the resource with this id.',
        examples: [exampleIds.rel],
      }),
    ),
    since: Type.Optional(RealTime('Only changes at this time or later.')),
    until: Type.Optional(RealTime('Only changes before this time.')),
    ...pageQuery,
  },
  closed,
);

export const AuditLogExportQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: sequenceMax,
        default: 0,
        description: 'Only entries with a greater `sequence`. 0: from the first entry.',
      }),
    ),
  },
  closed,
);
