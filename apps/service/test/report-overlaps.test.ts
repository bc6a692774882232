/** Reports about the same usage (ADR 0037): none is paid twice without a decision. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { workflowOwner } from '../src/kernel/actor.ts';
import { toUuid } from '../src/kernel/ids.ts';
import { recordReading } from '../src/royalties/commands/record-reading.ts';
import type { ReportId } from '../src/royalties/domain/report.ts';
import { readReportMessage } from '../src/royalties/messages.ts';
import {
  emptyReading,
  openReportFixture,
  type ReportFixture,
  scopeOf,
} from './report-lifecycle-fixture.ts';

describe('reports about the same usage', () => {
  let fixture: ReportFixture;
  before(async () => {
    fixture = await openReportFixture();
  });
  after(() => fixture.close());
  const decide = (id: string, decision: string, other: string) =>
    fixture.reports('decide', '--report', id, `--${decision}`, other);

  const differing: readonly [string, object][] = [
    ['service', { service: 'aurora kids' }],
    ['territory', { territory: 'NO' }],
    ['commercial model', { commercialModel: 'ad_supported' }],
    ['use type', { useType: 'download' }],
    ['usage period', { periodStart: '2026-11-01', periodEnd: '2026-11-30' }],
  ];
  test('do not overlap if they differ in one part of the key', async () => {
    await fixture.givenReport({ scopes: [scopeOf()] });
    for (const [name, fields] of differing) {
      const { status } = await fixture.givenReport({ scopes: [scopeOf(fields)] });
      assert.equal(status, 'matched', name);
    }
  });

  test('overlap if their periods share a day; the later one waits, and a superseded one is out at once', async () => {
    const territory = 'SE';
    const first = await fixture.givenReport({ scopes: [scopeOf({ territory })] });
    const period = { periodStart: '2026-10-31', periodEnd: '2026-11-30' };
    const second = await fixture.givenReport({ scopes: [scopeOf({ territory, ...period })] });
    assert.deepEqual([second.status, second.overlaps_with], ['validated', [first.id]]);
    const decided = await decide(second.id, 'supersedes', first.id);
    assert.deepEqual([decided.status, decided.supersedes], ['matched', [first.id]]);
    assert.equal((await fixture.show(first.id)).status, 'superseded');
    await assert.rejects(decide(second.id, 'supplements', first.id), /is matched/);
  });

  test('each overlap needs a decision; a supplement leaves the other as it is', async () => {
    const scopes = [scopeOf({ territory: 'DK' }), scopeOf({ territory: 'FI' })];
    const one = await fixture.givenReport({ scopes: scopes.slice(0, 1) });
    const two = await fixture.givenReport({ scopes: scopes.slice(1) });
    const both = await fixture.givenReport({ scopes });
    assert.equal(both.overlaps_with.length, 2);
    assert.equal((await decide(both.id, 'supplements', one.id)).status, 'validated');
    await assert.rejects(decide(both.id, 'supersedes', one.id), /decided already/);
    assert.equal((await decide(both.id, 'supersedes', two.id)).status, 'matched');
    assert.equal((await fixture.show(one.id)).status, 'matched');
    assert.equal((await fixture.show(two.id)).status, 'superseded');
  });

  test('a report that a run has taken stays included until the run of its successor', async () => {
    const scopes = [scopeOf({ territory: 'PL' })];
    const first = await fixture.givenReport({ scopes });
    await fixture.service.query(`update store_reports set status = 'included' where id = $1`, [
      toUuid(first.id),
    ]);
    const second = await fixture.givenReport({ scopes });
    assert.equal((await decide(second.id, 'supersedes', first.id)).status, 'matched');
    assert.equal((await fixture.show(first.id)).status, 'included');
    await assert.rejects(
      fixture.reports('reject', '--report', first.id, '--reason', 'x'),
      /decide that it supersedes/,
    );
  });

  test('a rejected one is no overlap any more', async () => {
    const scopes = [scopeOf({ territory: 'ES' })];
    const first = await fixture.givenReport({ scopes });
    const second = await fixture.givenReport({ scopes });
    const { also_changed: changed } = await fixture.reports(
      'reject',
      '--report',
      first.id,
      '--reason',
      'The store withdrew it.',
    );
    assert.deepEqual(
      changed.map(({ id, status }: { id: string; status: string }) => [id, status]),
      [[second.id, 'matched']],
    );
    assert.equal((await fixture.givenReport({ scopes })).status, 'validated');
  });

  test('refused decisions leave no trace', async () => {
    const scopes = [scopeOf({ territory: 'IT' })];
    const first = await fixture.givenReport({ scopes });
    const second = await fixture.givenReport({ scopes });
    const audited = await fixture.countAudited();
    const unrelated = await fixture.givenReport({ scopes: [scopeOf({ territory: 'GR' })] });
    const auditedThen = await fixture.countAudited();
    assert.ok(auditedThen > audited);
    await assert.rejects(decide(second.id, 'supersedes', unrelated.id), /does not overlap/);
    await assert.rejects(decide(first.id, 'supersedes', second.id), /is matched/);
    await assert.rejects(
      decide('rpt_x', 'supersedes', second.id),
      /--report must be given by its id \(rpt_… id\)/,
    );
    await assert.rejects(
      fixture.reports('decide', '--report', second.id),
      /Send --supersedes, or --supplements/,
    );
    assert.equal(await fixture.countAudited(), auditedThen);
    assert.equal((await fixture.show(second.id)).status, 'validated');
  });

  test('read at the same time: exactly one is matched, the others wait', async () => {
    const scopes = [scopeOf({ territory: 'PT' })];
    const ids: ReportId[] = [];
    for (let i = 0; i < 6; i++) {
      ids.push((await fixture.receive(fixture.givenFile({ scopes, note: `raced ${i}` }))).id);
    }
    await Promise.all(ids.map((id) => fixture.driver.handle(readReportMessage(fixture.orgId, id))));
    const statuses = await Promise.all(ids.map(async (id) => (await fixture.show(id)).status));
    assert.equal(statuses.filter((status) => status === 'matched').length, 1);
    assert.equal(statuses.filter((status) => status === 'validated').length, 5);
  });

  test('recorded at the same time: exactly one is matched, and the others overlap with it', async () => {
    const scopes = [scopeOf({ territory: 'CZ' })];
    const ids: ReportId[] = [];
    for (let i = 0; i < 6; i++) {
      ids.push((await fixture.receive(fixture.givenFile({ scopes, note: `recorded ${i}` }))).id);
    }
    const owner = workflowOwner(fixture.orgId, 'test');
    const reading = { ...emptyReading, scopes };
    await Promise.all(
      ids.map((id) =>
        fixture.service.workerDb.transact(owner, (tx) => recordReading(tx, id, reading)),
      ),
    );
    const shown = await Promise.all(ids.map(fixture.show));
    const first = shown.filter(({ status }) => status === 'matched');
    assert.equal(first.length, 1);
    const others = shown.filter(({ status }) => status === 'validated');
    assert.equal(others.length, 5);
    assert.ok(others.every(({ overlaps_with: found }) => found.includes(first[0].id)));
    // The k-th that was recorded overlaps with the k - 1 before it.
    const counts = new Set(shown.map(({ overlaps_with: found }) => found.length));
    assert.equal(counts.size, 6);
  });

  test('a list by status and store shows them, the newest first', async () => {
    const { reports } = await fixture.reports('list', '--status', 'validated', '--store', 'aurora');
    assert.ok(reports.length > 0);
    assert.ok(reports.every(({ status }: { status: string }) => status === 'validated'));
    assert.deepEqual((await fixture.reports('list', '--store', 'cascade')).reports, []);
  });
});
