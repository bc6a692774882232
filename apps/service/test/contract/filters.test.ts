/** Filters of lists refuse what cannot match (contract §1, §4, §7). The filters of deliveries have their own tests. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exampleIds } from '../../src/kernel/example-story.ts';
import type { Json } from '../delivery-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

const releaseId = exampleIds.rel;
const isrcIssue = 'must be an ISRC such as "QZ-ABC-26-00001" or "QZABC2600001"';
const upcIssue =
  'must be a UPC such as "860001000009": 12 digits, of which the last is the GS1 check digit';
const eanIssue =
  'must be an EAN such as "4006381333931": 13 digits, of which the last is the GS1 check digit';
const timestampIssue = 'must be a timestamp such as "2026-11-15T09:30:00.000Z" (RFC 3339)';
const territoryIssue = 'must be an ISO 3166-1 alpha-2 code such as "DE"';
const currencyIssue = 'must be an ISO 4217 code such as "EUR"';
const dateIssue = 'must be a date of the calendar such as "2027-01-15" (YYYY-MM-DD)';
const idIssue = `must be an id such as "${releaseId}"`;
const afterIssue = 'must be a whole number from 0 to 9007199254740991';
const limitIssue = 'must be a whole number from 1 to 100';
const releaseStatusIssue = 'must be one of: draft, submitted, delivered, rejected';
const typeIssue =
  'must be one of: release.created, release.status.changed, asset.ready, asset.failed, delivery.completed, delivery.taken_down, delivery.store.updated, delivery.store.overdue, payout.status.changed, payout_method.changed, statement.published, adjustment.created, earnings.held, earnings.released, earnings.forfeited, webhook.disabled, organization.verification.changed, api.changelog.published';
const onlyPages = 'is not a parameter of this request; its parameters are: limit, cursor';

/** Each path with a query that cannot match, the parameter it names, and what the refusal says of it. */
const refused: readonly (readonly [path: string, query: string, issue: string])[] = [
  ['/v1/releases', 'status=lost', releaseStatusIssue],
  ['/v1/releases', 'status=Draft', `${releaseStatusIssue}. Did you mean \`draft\`?`],
  ['/v1/releases', 'status=', releaseStatusIssue],
  ['/v1/releases', 'upc=12', upcIssue],
  ['/v1/releases', 'upc=860001000008', upcIssue],
  ['/v1/releases', 'upc=86000100000X', upcIssue],
  ['/v1/releases', 'upc=0860001000009', upcIssue],
  ['/v1/releases', 'upc=', upcIssue],
  ['/v1/releases', 'ean=4006381333932', eanIssue],
  ['/v1/releases', 'ean=036000291452', eanIssue],
  ['/v1/releases', 'ean=', eanIssue],
  ['/v1/releases', 'updated_since=yesterday', timestampIssue],
  ['/v1/releases', 'updated_since=2026-11-15', timestampIssue],
  ['/v1/releases', 'updated_since=2026-02-30T00:00:00Z', timestampIssue],
  ['/v1/releases', 'updated_since=1700000000', timestampIssue],
  ['/v1/releases', 'reference=', 'must not be empty'],
  ['/v1/releases', 'label=%20', 'must not be blank'],
  ['/v1/releases', `label=${'x'.repeat(501)}`, 'must have at most 500 characters'],
  ['/v1/releases', 'limit=0', limitIssue],
  ['/v1/releases', 'limit=101', limitIssue],
  ['/v1/releases', 'limit=ten', limitIssue],
  ['/v1/releases', 'status=draft&status=delivered', 'is sent more than once; send it once'],
  [
    '/v1/releases',
    'offset=3',
    'is not a parameter of this request; its parameters are: status, upc, ean, reference, label, label_id, updated_since, limit, cursor',
  ],
  [`/v1/releases/${releaseId}/revisions`, 'status=draft', onlyPages],
  ['/v1/tracks', 'release_id=rel_1', idIssue],
  ['/v1/tracks', 'release_id=trk_01h455vb4pex5vsknk084sn02q', idIssue],
  ['/v1/tracks', 'release_id=rel_81h455vb4pex5vsknk084sn02q', idIssue],
  ['/v1/tracks', 'release_id=REL_01H455VB4PEX5VSKNK084SN02Q', idIssue],
  ['/v1/tracks', 'release_id=', idIssue],
  ['/v1/tracks', 'isrc=nope', isrcIssue],
  ['/v1/tracks', 'isrc=QZ-ABC2600001', isrcIssue],
  ['/v1/tracks', 'isrc=qzabc2600001', isrcIssue],
  ['/v1/tracks', 'isrc=QZ-ABC-26-0000', isrcIssue],
  ['/v1/assets', 'type=video', 'must be one of: audio, artwork'],
  ['/v1/assets', 'status=lost', 'must be one of: pending_upload, processing, ready, failed'],
  ['/v1/stores', 'territory_code=XX', territoryIssue],
  ['/v1/stores', 'territory_code=de', `${territoryIssue}. Did you mean \`DE\`?`],
  ['/v1/stores', 'territory_code=DEU', territoryIssue],
  ['/v1/stores', 'territory_code=WORLD', territoryIssue],
  ['/v1/events', 'type=release.deleted', typeIssue],
  ['/v1/events', 'type=ping', typeIssue],
  ['/v1/events', 'type=*', typeIssue],
  ['/v1/events', 'delivery_status=failed', 'must be one of: pending, delivered, undelivered'],
  ['/v1/events', 'after=-1', afterIssue],
  ['/v1/events', 'after=1.5', afterIssue],
  ['/v1/events', 'after=1e3', afterIssue],
  ['/v1/events', 'after=', afterIssue],
  ['/v1/events', 'after=evt_01h455vb4pex5vsknk084sn02q', afterIssue],
  ['/v1/events', 'after=9007199254740992', afterIssue],
  ['/v1/events', 'after=99999999999999999999', afterIssue],
  ['/v1/adjustments', 'currency=eur', currencyIssue],
  ['/v1/adjustments', 'currency=XXX', currencyIssue],
  [
    '/v1/adjustments',
    'type=gift',
    'must be one of: penalty, return, chargeback, correction, non_track_income, tax, manual',
  ],
  ['/v1/earning_holds', 'currency=', currencyIssue],
  ['/v1/earning_holds', 'status=open', 'must be one of: held, released, forfeited'],
  ['/v1/statements', 'status=closed', 'must be one of: open, published'],
  ['/v1/statements', 'currency=eur', currencyIssue],
  ['/v1/statements', 'period_start=2026-02-30', dateIssue],
  ['/v1/statements', 'period_end=2026-10', dateIssue],
  [`/v1/statements/${exampleIds.stm}/line-items`, 'store_id=aurora', onlyPages],
  [
    `/v1/statements/${exampleIds.stm}/line-items.csv`,
    'after=5',
    `must be the id of a line item such as "${exampleIds.sli}"`,
  ],
  ['/v1/webhooks', 'status=verified', onlyPages],
  ['/v1/sandbox/scenarios', 'store_id=aurora', onlyPages],
  ['/v1/sandbox/reports', 'store_id=aurora', onlyPages],
  ['/v1/sandbox/inbox', 'event_type=ping', onlyPages],
  [
    '/v1/stores/territories',
    'territory_code=DE',
    'is not a parameter of this request, which has none; remove it',
  ],
];

describe('filters of lists', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    await service.admin('stores', 'seed');
    label = await service.givenOrganization({ tier: 'enterprise' });
  });
  after(() => service.close());

  for (const [path, query, issue] of refused) {
    const shown = query.length > 60 ? `${query.slice(0, 60)}…` : query;
    test(`contract §1: ${path}?${shown} → 400 invalid_parameter: ${issue}`, async () => {
      const { status, json } = await label.call('GET', `${path}?${query}`);
      const field = query.split('=', 1)[0];
      assert.deepEqual([status, json.error?.code], [400, 'invalid_parameter']);
      const sentence = `${field} ${issue}${issue.endsWith('?') ? '' : '.'}`;
      assert.deepEqual(json.error.details, [{ field, issue: sentence }]);
      assert.equal(json.error.message, sentence);
    });
  }

  test('contract §7: every wrong parameter is in details', async () => {
    const { json } = await label.call('GET', '/v1/releases?upc=1&status=lost&limit=0&page=2');
    assert.deepEqual(json.error.details.map(({ field }: Json) => field).toSorted(), [
      'limit',
      'page',
      'status',
      'upc',
    ]);
    assert.match(json.error.message, / 3 more problems are listed in details\.$/);
  });

  test('contract §1: a well-formed filter that matches nothing is an empty page', async () => {
    for (const path of [
      `/v1/tracks?release_id=${releaseId}`,
      '/v1/tracks?isrc=QZ-ABC-26-00001',
      '/v1/tracks?isrc=QZABC2600001',
      '/v1/releases?upc=860001000009',
      '/v1/releases?reference=none',
      '/v1/releases?updated_since=2099-01-01T00:00:00%2B02:00',
      '/v1/assets?type=audio&status=failed',
      '/v1/stores?territory_code=AQ',
      '/v1/events?type=api.changelog.published',
      '/v1/events?after=9007199254740991',
      '/v1/events?delivery_status=undelivered&type=release.created&after=0',
    ]) {
      const { status, json } = await label.call('GET', path);
      assert.deepEqual(
        [status, json],
        [200, { data: [], next_cursor: null, has_more: false }],
        path,
      );
    }
  });

  test('contract §5: an id of another organization is an id of nothing', async () => {
    const other = await service.givenOrganization();
    const { json: release } = await other.call('POST', '/v1/releases', draft());
    const { json: track } = await other.call('POST', '/v1/tracks', {
      release_id: release.id,
      title: 'Night Drive',
      artists: [{ name: 'Aurora Díaz', role: 'main' }],
      isrc: 'QZ-ABC-26-00001',
    });
    for (const [path, mine] of [
      [`/v1/tracks?release_id=${release.id}`, [track]],
      [`/v1/tracks?isrc=${track.isrc}`, [track]],
      [`/v1/releases?upc=${release.upc}`, [release]],
    ] as const) {
      const found = (await other.call('GET', path)).json.data;
      assert.deepEqual(
        found.map(({ id }: Json) => id),
        mine.map(({ id }: Json) => id),
        path,
      );
      const { status, json } = await label.call('GET', path);
      assert.deepEqual([status, json.data], [200, []], path);
    }
  });

  test('contract §1: every parameter with a rule refuses what breaks it, without a regular expression in the sentence', async () => {
    const { json: document } = await service.request(undefined, 'GET', '/openapi.json');
    const resolve = (part: Json): Json =>
      part.$ref === undefined
        ? part
        : part.$ref
            .split('/')
            .slice(1)
            .reduce((inner: Json, name: string) => inner[name], document);
    const checked: string[] = [];
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      const parameters: Json[] = methods.get?.parameters ?? [];
      const url = path.replaceAll(/\{(\w+)\}/g, 'x');
      for (const { in: place, name, schema: referenced } of parameters.map(resolve)) {
        const schema = resolve(referenced);
        const hasRule = schema.enum ?? schema.format ?? schema.minimum ?? schema.pattern;
        if (place !== 'query' || hasRule === undefined || schema.pattern === '\\S') continue;
        const { status, json } = await label.call('GET', `${url}?${name}=%7E`);
        assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], `${path} ${name}`);
        const [{ field, issue }] = json.error.details;
        assert.equal(field, name);
        assert.doesNotMatch(issue, /[\\^$[\]{}]|undefined/, `${path} ${name}`);
        checked.push(`${path} ${name}`);
      }
    }
    assert.ok(checked.length >= 20, `only ${checked.join(', ')}`);
  });
});
