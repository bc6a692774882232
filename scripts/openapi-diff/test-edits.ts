/** Edits of the OpenAPI document for its tests. */

// oxlint-disable-next-line typescript/no-explicit-any -- a test edits any part of the document
export type Json = any;

const releases = '/v1/releases';
const release = '/v1/releases/{release_id}';
export const schemasOf = (document: Json) => document.components.schemas;
const create = (document: Json) => schemasOf(document).CreateRelease;
export const answer = (document: Json) => schemasOf(document).Release;
const event = (document: Json, name: string) => schemasOf(document)[name];
/** Of GET /v1/releases; `limit` and the headers are shared by all operations. */
const parameterOf = (document: Json, name: string) =>
  document.paths[releases].get.parameters.find((each: Json) => each.name === name) ??
  document.components.parameters[name];
const without = (list: string[], name: string) => list.filter((each) => each !== name);

type Case = readonly [what: string, kind: string, at: string, edit: (document: Json) => void];

/** Each kind of breach, made in the real document. */
export const breaches: readonly Case[] = [
  ['a path', 'path_removed', release, (d) => delete d.paths[release]],
  ['an operation', 'operation_removed', `PATCH ${release}`, (d) => delete d.paths[release].patch],
  [
    'another scope',
    'scope_added',
    `GET ${releases}`,
    (d) => d.paths[releases].get['x-scopes'].push('audit:read'),
  ],
  [
    'a tier',
    'tier_added',
    `GET ${releases}`,
    (d) => (d.paths[releases].get['x-tier'] = 'enterprise'),
  ],
  [
    'a query parameter',
    'parameter_removed',
    `GET ${releases} query upc`,
    (d) =>
      (d.paths[releases].get.parameters = d.paths[releases].get.parameters.filter(
        (each: Json) => each.name !== 'upc',
      )),
  ],
  [
    'a parameter that is now required',
    'parameter_required',
    `GET ${releases} query upc`,
    (d) => (parameterOf(d, 'upc').required = true),
  ],
  [
    'a required header',
    'parameter_required',
    `POST ${releases} header Idempotency-Key`,
    (d) => (parameterOf(d, 'Idempotency-Key').required = true),
  ],
  [
    'a body',
    'body_removed',
    `POST ${releases} body`,
    (d) => delete d.paths[releases].post.requestBody,
  ],
  [
    'a body that is now required',
    'body_required',
    `PATCH ${release} body`,
    (d) => (d.paths[release].patch.requestBody.required = true),
  ],
  [
    'a content type',
    'content_type_removed',
    `POST ${releases} body`,
    (d) => {
      const { requestBody } = d.paths[releases].post;
      requestBody.content = { 'application/xml': requestBody.content['application/json'] };
    },
  ],
  [
    'an alternative of a request',
    'value_removed',
    'POST /v1/sandbox/scenarios body steps[] action',
    (d) => schemasOf(d).ScenarioStepInput.oneOf.pop(),
  ],
  [
    'one of two fields that is now required',
    'type_changed',
    `POST ${releases} body`,
    (d) => (create(d).anyOf = [{ required: ['label'] }, { required: ['label_id'] }]),
  ],
  [
    'one of the alternatives of an object',
    'type_changed',
    `POST ${releases} body artists[]`,
    (d) => {
      const { ArtistEntryByName: byName } = schemasOf(d);
      schemasOf(d).ArtistEntry = {
        ...byName,
        required: ['role'],
        anyOf: [{ required: ['artist_id'] }],
      };
    },
  ],
  [
    'a field of an alternative that is now required',
    'field_required',
    'POST /v1/sandbox/scenarios body steps[] code',
    (d) => schemasOf(d).ScenarioStepFlag.required.push('code'),
  ],
  [
    'a success status',
    'status_removed',
    `POST ${releases} 201`,
    (d) => {
      const { responses } = d.paths[releases].post;
      responses[200] = responses[201];
      delete responses[201];
    },
  ],
  [
    'a header of an answer',
    'header_removed',
    `GET ${release} 200 ETag`,
    (d) => delete d.paths[release].get.responses[200].headers.ETag,
  ],
  [
    'a field of an answer',
    'field_removed',
    `GET ${release} 200 title`,
    (d) => delete answer(d).properties.title,
  ],
  [
    'a field of an answer in a list',
    'field_removed',
    `GET ${releases} 200 data[] upc`,
    (d) => delete answer(d).properties.upc,
  ],
  [
    'a field of a request',
    'field_removed',
    `POST ${releases} body title`,
    (d) => delete create(d).properties.title,
  ],
  [
    'a field that is now required',
    'field_required',
    `POST ${releases} body p_line`,
    (d) => create(d).required.push('p_line'),
  ],
  [
    'a new field that is required',
    'field_required',
    `POST ${releases} body mood`,
    (d) => {
      create(d).properties.mood = { type: 'string' };
      create(d).required.push('mood');
    },
  ],
  [
    'a field that may be absent',
    'field_optional',
    `GET ${release} 200 title`,
    (d) => (answer(d).required = without(answer(d).required, 'title')),
  ],
  [
    'a field that may be null',
    'field_nullable',
    `GET ${release} 200 title`,
    (d) => (answer(d).properties.title = { anyOf: [answer(d).properties.title, { type: 'null' }] }),
  ],
  [
    'null that is refused',
    'null_refused',
    `PATCH ${release} body artwork_asset_id`,
    (d) => {
      const { properties } = schemasOf(d).UpdateRelease;
      properties.artwork_asset_id = properties.artwork_asset_id.anyOf[0];
    },
  ],
  [
    'the type of an answer',
    'type_changed',
    `GET ${release} 200 revision`,
    (d) => (answer(d).properties.revision = { type: 'string' }),
  ],
  [
    'the type of a request',
    'type_changed',
    `POST ${releases} body title`,
    (d) => (create(d).properties.title = { type: 'integer' }),
  ],
  [
    'a value',
    'value_removed',
    `GET ${releases} query status`,
    (d) => parameterOf(d, 'status').schema.enum.pop(),
  ],
  [
    'a free text that becomes a choice',
    'value_removed',
    `POST ${releases} body title`,
    (d) => (create(d).properties.title.enum = ['One', 'Two']),
  ],
  [
    'a shorter text',
    'limit_narrowed',
    `POST ${releases} body title`,
    (d) => (create(d).properties.title.maxLength = 100),
  ],
  [
    'a smaller page',
    'limit_narrowed',
    `GET ${releases} query limit`,
    (d) => (parameterOf(d, 'limit').schema.maximum = 50),
  ],
  [
    'a pattern',
    'format_changed',
    `POST ${releases} body title`,
    (d) => (create(d).properties.title.pattern = '^[a-z]+$'),
  ],
  [
    'a date that becomes a timestamp',
    'format_changed',
    `GET ${release} 200 release_date`,
    (d) => (answer(d).properties.release_date.format = 'date-time'),
  ],
  [
    'another default',
    'default_changed',
    `GET ${releases} query limit`,
    (d) => (parameterOf(d, 'limit').schema.default = 100),
  ],
  [
    'a field of the data of one event type',
    'field_removed',
    'GET /v1/events 200 data[] data delivery_id',
    (d) => delete event(d, 'DeliveryStoreUpdatedEvent').properties.data.properties.delivery_id,
  ],
  [
    'an event type of the history',
    'value_removed',
    'GET /v1/events 200 data[] type',
    (d) => schemasOf(d).StoredEvent.allOf[0].oneOf.pop(),
  ],
  ['an event that is sent', 'operation_removed', 'webhook ping', (d) => delete d.webhooks.ping],
  [
    'a field that receivers read',
    'field_removed',
    'webhook ping data url',
    (d) => delete event(d, 'PingEvent').properties.data.properties.url,
  ],
];

/** Spec §9.2: not breaking changes. */
export const additions: readonly (readonly [what: string, edit: (document: Json) => void])[] = [
  ['nothing', () => undefined],
  ['a path', (d) => (d.paths['/v1/new'] = d.paths[releases])],
  ['an operation', (d) => (d.paths[release].put = d.paths[release].patch)],
  ['an optional field of a request', (d) => (create(d).properties.mood = { type: 'string' })],
  ['a field of an answer', (d) => (answer(d).properties.mood = { type: 'string' })],
  [
    'an optional parameter',
    (d) =>
      d.paths[releases].get.parameters.push({
        name: 'mood',
        in: 'query',
        required: false,
        schema: { type: 'string' },
      }),
  ],
  ['a longer text', (d) => (create(d).properties.title.maxLength = 1_000)],
  ['a value of an answer', (d) => answer(d).properties.status.enum.push('new')],
  ['a value of a request', (d) => parameterOf(d, 'status').schema.enum.push('new')],
  ['a field that is no longer required', (d) => create(d).required.pop()],
  ['a rule that is gone', (d) => delete create(d).properties.title.pattern],
  ['another refusal', (d) => (d.paths[releases].get.responses[418] = { description: 'New' })],
  ['texts', (d) => (d.paths[releases].get.description = 'Other words.')],
  [
    'an event type',
    (d) => {
      const created = event(d, 'ReleaseCreatedEvent');
      const { type } = created.properties;
      const properties = { ...created.properties, type: { ...type, const: 'release.sung' } };
      schemasOf(d).WebhookEvent.oneOf.push({ ...created, properties });
    },
  ],
  [
    'a union that says which of two fields is required, written as a rule of one object',
    (d) => {
      const { ArtistEntryByName: byName } = schemasOf(d);
      const anyOf = [{ required: ['name'] }, { required: ['artist_id'] }];
      schemasOf(d).ArtistEntry = { ...byName, required: ['role'], anyOf };
    },
  ],
  ['one scope less', (d) => d.paths[releases].get['x-scopes'].pop()],
];
