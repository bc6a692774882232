/** Recorded requests on the wire (contract §4). */

import { Type } from 'typebox';
import { bodyBytesKept, type RequestEntry, type RequestSummary } from '../../identity/face.ts';
import type { Actor } from '../../kernel/actor.ts';
import { exampleIds } from '../../kernel/example-story.ts';
import { timeOfId } from '../../kernel/ids.ts';
import { CredentialType, described, EventTypeName } from '../../platform/http/named-enums.ts';
import {
  closed,
  ErrorCode,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  RealTime,
  Text,
  Timestamp,
  patterned,
} from '../../platform/http/schema.ts';
import { AttemptBody, EventWebhook } from './event-schemas.ts';

const actorPattern = '^(key|oac)_[0-7][0-9a-hjkmnp-tv-z]{25}$';
const pathMax = 500;

const summaryFields = {
  id: IdOf('req'),
  created_at: RealTime('When the request arrived.'),
  duration_ms: Type.Number({
    description: 'How long the request took until its answer was sent, in milliseconds.',
  }),
  method: Type.String({ description: 'The HTTP method of the request.', examples: ['POST'] }),
  path: Type.String({
    description: 'The path with its query, without secrets; the first 2,048 characters.',
    examples: ['/v1/releases?status=draft'],
  }),
  route: Nullable(
    Type.String({
      description: 'The path of the operation. `null`: no operation has this path and method.',
      examples: ['/v1/releases/:release_id'],
    }),
  ),
  status: Type.Integer({ description: 'The HTTP status of the answer.', examples: [422] }),
  error_code: Nullable(described(ErrorCode, 'The error code. `null`: the request succeeded.')),
  actor: Type.Object(
    {
      type: CredentialType,
      id: Type.String({
        description: 'The id of the API key (`key_…`) or OAuth client (`oac_…`).',
        examples: [exampleIds.key],
      }),
    },
    { ...closed, description: 'The credential that sent the request.' },
  ),
  address: Type.String({ description: 'The IP address of the client.', examples: ['192.0.2.7'] }),
};

const RequestSummaryBody = Type.Object(summaryFields, { ...closed, title: 'LoggedRequestSummary' });

export const RequestPage = PageOf('LoggedRequestPage', RequestSummaryBody);

const content = {
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Some of the headers, without credentials.',
  }),
  body: Nullable(
    Type.String({
      description:
        'The first 16 KiB of the body, without secrets and with URLs cut to their host. `null`: there was no body, or it was not read.',
    }),
  ),
  body_bytes: Type.Integer({ description: 'The size of the whole body in bytes.' }),
  truncated: Type.Boolean({ description: '`true`: only the first 16 KiB of the body are kept.' }),
};

const requestContent = {
  ...content,
  headers: Type.Record(Type.String(), Type.String(), {
    description:
      'Some of the headers, without credentials. The `idempotency-key` of another credential is cut to its first 8 characters.',
  }),
};

const CausedEvent = Type.Object(
  {
    id: IdOf('evt'),
    type: EventTypeName,
    created_at: Timestamp('When the event happened.'),
    sequence: Type.Integer({
      description: 'Counts the events of your organization, without gaps.',
    }),
    webhooks: Type.Array(EventWebhook, {
      description: 'The webhooks that this event is sent to, without deleted ones.',
    }),
    attempts: Type.Array(AttemptBody, {
      description:
        'The attempts to send the event, oldest first: the last 1,000 of all events of the request.',
    }),
  },
  { ...closed, title: 'CausedEvent' },
);

export const RequestBody = Type.Object(
  {
    ...summaryFields,
    request: Type.Object(requestContent, { ...closed, title: 'RecordedRequest' }),
    response: Type.Object(content, { ...closed, title: 'RecordedResponse' }),
    events: Type.Array(CausedEvent, {
      description:
        'The events that the request itself caused, oldest first, at most 100. Events of later steps, such as a review, are in `GET /v1/events`.',
    }),
    events_have_more: Type.Boolean({
      description:
        '`true`: the request caused more than 100 events; the others are in `GET /v1/events`.',
    }),
  },
  { ...closed, title: 'LoggedRequest' },
);

export const RequestPath = Type.Object({ request_id: IdOf('req') });

export const RequestListQuery = Type.Object(
  {
    status: Type.Optional(
      Type.String({
        ...patterned('^[1-5](\\d\\d|xx)$', 'an HTTP status or a class of statuses'),
        description:
          'Only requests with this status, for example `422`, or with a status of this class, for example `4xx`.',
        examples: ['4xx'],
      }),
    ),
    code: Type.Optional(
      described(ErrorCode, 'Only requests that were refused with this error code.'),
    ),
    method: Type.Optional(
      OneOf(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'], {
        description: 'Only requests with this HTTP method.',
      }),
    ),
    path: Type.Optional(
      Text(pathMax, {
        description: 'Only requests whose path begins with this text.',
        examples: ['/v1/releases'],
      }),
    ),
    actor: Type.Optional(
      Type.String({
        ...patterned(actorPattern, 'the id of an API key or OAuth client'),
        description: 'Only requests with the API key or OAuth client of this id.',
        examples: [exampleIds.key],
      }),
    ),
    since: Type.Optional(RealTime('Only requests that arrived at this time or later.')),
    until: Type.Optional(RealTime('Only requests that arrived before this time.')),
    ...pageQuery,
  },
  closed,
);

export const presentSummary = (entry: RequestSummary) => ({
  id: entry.id,
  created_at: timeOfId(entry.id).toISOString(),
  duration_ms: entry.durationMs,
  method: entry.method,
  path: entry.path,
  route: entry.route,
  status: entry.status,
  error_code: entry.code,
  actor: { type: entry.actorType, id: entry.actorId },
  address: entry.address,
});

const keyCharactersShown = 8;

/** Contract §8: an Idempotency-Key belongs to the credential that sent it. */
function shownHeaders({ requestHeaders, actorId }: RequestEntry, reader: Actor) {
  const { 'idempotency-key': key, ...others } = requestHeaders;
  return key === undefined || actorId === reader.id
    ? requestHeaders
    : { ...others, 'idempotency-key': `${key.slice(0, keyCharactersShown)}...` };
}

export const presentRequest = (entry: RequestEntry, reader: Actor) => ({
  ...presentSummary(entry),
  request: {
    headers: shownHeaders(entry, reader),
    body: entry.requestBody,
    body_bytes: entry.requestBytes,
    truncated: entry.requestBytes > bodyBytesKept,
  },
  response: {
    headers: entry.answerHeaders,
    body: entry.answerBody,
    body_bytes: entry.answerBytes,
    truncated: entry.answerBytes > bodyBytesKept,
  },
});
