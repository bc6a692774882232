/**
 * What partners read when a value is refused (spec §7): for every constraint of every field and parameter of every route,
 * a sentence that names the field and says what to send, without a regular expression.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import { asObjectSchema } from '../../src/platform/http/schema.ts';
import { unknownIds } from '../path-ids.ts';
import { draft, type OrgClient, openTestService, type TestService } from '../test-service.ts';
import { type Violating, violatingValues } from '../violating-values.ts';

type Detail = { readonly field: string; readonly issue: string };

/** Parts of regular expressions and words of validators. */
const riddles = /[\\^$]|\[[a-z^]|\(\?|\{\d|\bpattern\b|\bschema\b|\bproperties\b|\bformat "/i;

function assertSentence({ field, issue }: Detail, what: string): void {
  assert.ok(issue.startsWith(`${field} `), `${what}: ${issue}`);
  assert.match(issue, /[.?]$/, what);
  assert.doesNotMatch(issue, riddles, what);
  assert.match(issue, / (must|is|are|cannot|combines) /, what);
}

const pathOf = ({ path }: AnyOperation): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => unknownIds[name] ?? 'none');

/** Larger ones are refused for their size. */
const bodyBytesMax = 200_000;

describe('sentences of refusals', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ tier: 'enterprise' });
  });
  after(() => service.close());

  const refusedIn = async (
    operation: AnyOperation,
    name: string,
    { keyword, value }: Violating,
    isQuery: boolean,
  ): Promise<number> => {
    const path = pathOf(operation);
    const what = `${operation.id} ${name} ${keyword}`;
    const body = JSON.stringify({ [name]: value });
    if (body.length > bodyBytesMax) return 0;
    const { status, json, text } = isQuery
      ? await label.call('GET', `${path}?${name}=${encodeURIComponent(String(value))}`)
      : await label.call(operation.method, path, body);
    assert.equal(status, isQuery ? 400 : 422, `${what}: ${text}`);
    const details = json.error.details as readonly Detail[];
    const ofField = details.filter(({ field }) => field.split(/[.[]/, 1)[0] === name);
    assert.ok(ofField.length > 0, `${what}: ${text}`);
    for (const detail of details) assertSentence(detail, what);
    assert.doesNotMatch(json.error.message, riddles, what);
    assert.match(json.error.message, /[.?]$/, what);
    return 1;
  };

  const refuseEach = async (
    schemaOf: (operation: AnyOperation) => object | undefined,
    isQuery: boolean,
  ): Promise<number> => {
    let count = 0;
    for (const operation of service.api.operations) {
      const schema = schemaOf(operation);
      if (schema === undefined || operation.ownRefusals !== undefined) continue;
      for (const [name, field] of Object.entries(asObjectSchema(schema).properties)) {
        for (const violating of violatingValues(field)) {
          // Every value of a query is a text.
          if (isQuery && violating.keyword === 'type') continue;
          count += await refusedIn(operation, name, violating, isQuery);
        }
      }
    }
    return count;
  };

  test('spec §7: every constraint of every body has a sentence with the field and what to send', async (t) => {
    const count = await refuseEach(({ body }) => body, false);
    t.diagnostic(`${count} refused bodies`);
    assert.ok(count > 500, `only ${count} bodies`);
  });

  test('contract §7: so has every constraint of every query parameter', async (t) => {
    const count = await refuseEach(({ query }) => query, true);
    t.diagnostic(`${count} refused queries`);
    assert.ok(count > 50, `only ${count} queries`);
  });

  test('spec §7: violations of the schema and of the domain are listed together', async () => {
    const { status, json } = await label.call('POST', '/v1/releases', {
      ...draft({ upc: '860001000008', territories: ['DE', 'UK'], language: 'English' }),
      artists: [{ name: 'A', role: 'featured' }],
    });
    assert.deepEqual([status, json.error.code], [422, 'invalid_field']);
    assert.deepEqual(
      json.error.details.map(({ field }: Detail) => field),
      ['language', 'artists', 'territories[1]', 'upc'],
    );
  });

  test('spec §7: violations of the domain alone are listed together under the code of the first', async () => {
    const { json } = await label.call('POST', '/v1/releases', {
      ...draft({ upc: '860001000008', artists: [{ name: 'A', role: 'featured' }] }),
    });
    assert.equal(json.error.code, 'invalid_upc');
    assert.deepEqual(
      json.error.details.map(({ field }: Detail) => field),
      ['upc', 'artists'],
    );
  });

  test('contract §7: a missing field still names the problem; at most 100 details', async () => {
    const tracks = Array.from({ length: 100 }, () => ({ isrc: 'nope', titel: 'x' }));
    const { json } = await label.call('POST', '/v1/tracks/bulk', { tracks });
    assert.equal(json.error.code, 'missing_required_field');
    assert.equal(json.error.details.length, 100);
  });

  const nearMisses: readonly [method: string, path: string, body: unknown, meant: string][] = [
    ['POST', '/v1/releases', { ...draft(), releaseDate: '2027-01-01' }, 'release_date'],
    ['POST', '/v1/webhooks', { url: 'https://a.example', event_types: ['*'] }, 'event_type'],
    [
      'POST',
      '/v1/webhooks',
      { url: 'https://a.example/b', event_type: 'delivery.complete' },
      'delivery.completed',
    ],
    ['POST', '/v1/api_keys', { name: 'A', scopes: ['release:read'] }, 'releases:read'],
    ['POST', '/v1/releases', draft({ territories: ['UK'] }), 'GB'],
    ['POST', '/v1/tracks', { release_id: 'x', title: 'A', recording_country: 'se' }, 'SE'],
    ['GET', '/v1/releases?labels=x', undefined, 'label'],
    ['GET', '/v1/releases?status=draft_', undefined, 'draft'],
    ['GET', '/v1/stores?territory=DE', undefined, 'territory_code'],
  ];
  for (const [method, path, body, meant] of nearMisses) {
    test(`contract §7: ${method} ${path} asks whether ${meant} was meant`, async () => {
      const { json, text } = await label.call(method, path, body);
      const issues = (json.error.details as readonly Detail[]).map(({ issue }) => issue);
      assert.ok(
        issues.some((issue) => issue.endsWith(`Did you mean \`${meant}\`?`)),
        text,
      );
    });
  }

  test('contract §7: an unknown store is compared with all stores', async () => {
    await service.admin('stores', 'seed');
    const { json } = await label.call('POST', '/v1/deliveries', {
      release_id: 'rel_none',
      stores: ['arora'],
      territory_codes: ['WORLDWIDE'],
    });
    assert.match(json.error.details.at(-1).issue, /^stores\[0\] .*Did you mean `aurora`\?$/);
  });

  for (const [path, near] of [
    ['/v1/release', '/v1/releases'],
    ['/releases', '/v1/releases'],
    ['/v1/deliverys/dlv_1/timeline', '/v1/deliveries/{delivery_id}/timeline'],
  ] as const) {
    test(`contract §7: ${path} asks whether ${near} was meant`, async () => {
      const { status, json } = await label.call('GET', path);
      assert.equal(status, 404);
      assert.ok(json.error.message.endsWith(`Did you mean \`${near}\`?`), json.error.message);
    });
  }

  test('contract §7: a wrong method is told the right ones', async () => {
    const { status, json } = await label.call('PUT', '/v1/organization');
    assert.equal(status, 405);
    assert.equal(json.error.message, 'PUT is not allowed on this path. Use GET, HEAD, PATCH.');
  });
});
