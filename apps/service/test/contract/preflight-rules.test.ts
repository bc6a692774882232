/** GET /v1/preflight_rules and the shape of findings: catalogue §5, contract §5. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rulesVersion } from '../../src/catalog/domain/preflight/rules.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type Reply,
  type TestService,
} from '../test-service.ts';

type Json = Reply['json'];

describe('preflight rules', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const listRules = async (): Promise<Json> =>
    (await fetch(`${service.url}/v1/preflight_rules`)).json();
  const givenRelease = async (fields: object = {}): Promise<string> => {
    const { id } = (await label.call('POST', '/v1/releases', draft(fields))).json;
    await service.makeSubmittable(label, id);
    return id;
  };
  const validate = async (id: string): Promise<Json[]> =>
    (await label.call('POST', `/v1/releases/${id}/validate`)).json.findings;

  test('catalogue §5: every rule with its severity by pack, what it looks at and its source; contract §5: without a key', async () => {
    const answer = await fetch(`${service.url}/v1/preflight_rules`);
    assert.equal(answer.status, 200);
    const { data, rules_version }: Json = await answer.json();
    assert.equal(rules_version, rulesVersion);
    assert.ok(data.length > 50);
    assert.equal(new Set(data.map(({ id }: Json) => id)).size, data.length);
    assert.deepEqual(
      data.find(({ id }: Json) => id === 'artwork_square'),
      {
        id: 'artwork_square',
        severity: { a: 'error', b: null, base: null },
        scope: ['release'],
        fields: ['artwork_asset_id'],
        description: 'The artwork must be as wide as it is high; stores show covers as squares.',
        unit: null,
        source: "Modeled on a major streaming store's FAQ for partners.",
        prevents: 'resource_not_meeting_specifications',
      },
    );
    const casing = data.find(({ id }: Json) => id === 'title_casing');
    assert.deepEqual(
      [casing.severity, casing.scope, casing.fields],
      [
        { a: 'warning', b: 'warning', base: 'warning' },
        ['release', 'track'],
        ['title', 'language'],
      ],
    );
  });

  test('a finding names its rule, with the severity and the source of the list', async () => {
    const { data } = await listRules();
    const rules = new Map(data.map((rule: Json) => [rule.id, rule]));
    const findings = await validate(
      await givenRelease({ title: 'NIGHT DRIVE', territories: ['JP'] }),
    );
    assert.ok(findings.length > 5);
    for (const { rule: id, severity, source, prevents, unit } of findings) {
      const rule = rules.get(id) as Json;
      assert.ok(Object.values(rule.severity).includes(severity), id);
      assert.deepEqual([source, prevents, unit], [rule.source, rule.prevents, rule.unit], id);
    }
  });

  test('catalogue §5: applies_to is all, or the stores', async () => {
    const id = await givenRelease({ title: 'NIGHT DRIVE', territories: ['JP'] });
    const findings = await validate(id);
    const of = (rule: string): Json => findings.find((finding) => finding.rule === rule);
    assert.equal(of('title_casing').applies_to, 'all');
    const stores: string[] = of('territories_of_store').applies_to;
    assert.ok(stores.includes('indigo') && !stores.includes('hanami'), stores.join());
    const dryRun = await label.call('POST', '/v1/deliveries/dry_run', {
      release_id: await service.givenSubmittedRelease(label, { title: 'NIGHT DRIVE' }),
      stores: ['aurora', 'indigo'],
      territory_codes: ['US'],
    });
    assert.equal(dryRun.status, 200, dryRun.text);
    const casing = dryRun.json.findings.find(({ rule }: Json) => rule === 'title_casing');
    assert.equal(casing.applies_to, 'all', 'the same shape in a dry run');
  });

  test('catalogue §5: a measured number has a unit beside it and its limit', async () => {
    const id = await givenRelease();
    const short = await service.givenAsset(label, 'audio', 'ready', { durationMs: 29_999 });
    const [track] = (await label.call('GET', `/v1/releases/${id}/tracks`)).json.data;
    await label.call('PATCH', `/v1/tracks/${track.id}`, { audio_asset_id: short });
    const finding = (await validate(id)).find(({ rule }) => rule === 'length_only_track');
    assert.deepEqual([finding.measured, finding.limit, finding.unit], [29_999, 30_000, 'ms']);
    const casing = (await validate(await givenRelease({ title: 'NIGHT DRIVE' }))).find(
      ({ rule }) => rule === 'title_casing',
    );
    assert.equal(casing.unit, null);
  });

  test('catalogue §5: codes are hyphenated as on resources, in messages too', async () => {
    const id = await givenRelease();
    const body = { release_id: id, title: 'Other', isrc: 'QZABC2600001' };
    for (const title of ['One', 'Two']) {
      assert.equal((await label.call('POST', '/v1/tracks', { ...body, title })).status, 201);
    }
    const findings = await validate(id);
    const repeated = findings.find(({ rule }) => rule === 'isrc_repeated');
    assert.equal(repeated.measured, 'QZ-ABC-26-00001');
    const shown = JSON.stringify(findings);
    assert.ok(shown.includes('QZ-ABC-26-00001') && !shown.includes('QZABC2600001'));
  });
});
