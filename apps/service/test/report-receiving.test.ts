/** Receiving reports of stores (ADR 0037): the same files are one report. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toUuid } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import type { ReportId } from '../src/royalties/domain/report.ts';
import { openReportFixture, type ReportFixture } from './report-lifecycle-fixture.ts';

const objectsOf = ({ service }: ReportFixture) => service.storage.listBelow('reports/', 10_000);

describe('receiving a report', () => {
  let fixture: ReportFixture;
  before(async () => {
    fixture = await openReportFixture();
  });
  after(() => fixture.close());

  test('stores its files, and shows it as received', async () => {
    const report = await fixture.receive(fixture.givenFile({}, 'first.tsv'));
    assert.equal(report.status, 'received');
    assert.equal(report.was_received_before, false);
    const { files } = await fixture.show(report.id);
    assert.deepEqual(
      files.map(({ number, name }: { number: number; name: string }) => [number, name]),
      [[1, 'first.tsv']],
    );
    const found = await fixture.service.storage.find(`reports/${report.id}/files/1`);
    assert.equal(found?.sizeBytes, 2);
  });

  test('the same files again, renamed, compressed or in another order, are the same report', async () => {
    const [a, b] = [fixture.givenFile('same a', 'a.tsv'), fixture.givenFile('same b', 'b.tsv')];
    const { id } = await fixture.receive(a, b);
    const zip = (path: string) => {
      const archive = `${path}.zip`;
      execFileSync('python3', ['-m', 'zipfile', '-c', archive, basename(path)], {
        cwd: dirname(path),
      });
      return archive;
    };
    const [objects, audited] = [await objectsOf(fixture), await fixture.countAudited()];
    const again: readonly (readonly [string, string])[] = [
      [a, b],
      [b, a],
      [fixture.givenFile('same a', 'z.txt'), b],
      [fixture.givenFile(gzipSync('same a', { level: 1 }), 'a.gz'), b],
      [fixture.givenFile(gzipSync('same a', { level: 9 }), 'a2.gz'), zip(b)],
    ];
    for (const paths of again) {
      const report = await fixture.receive(...paths);
      assert.deepEqual([report.id, report.was_received_before], [id, true], paths.join(' '));
    }
    assert.deepEqual(await objectsOf(fixture), objects);
    assert.equal(await fixture.countAudited(), audited);
  });

  test('the same file by eight commands at once is one report, with one set of objects', async () => {
    const known = new Set(await objectsOf(fixture));
    const path = fixture.givenFile('raced', 'raced.tsv');
    const reports = await Promise.all(Array.from({ length: 8 }, () => fixture.receive(path)));
    const ids = new Set(reports.map(({ id }) => id));
    assert.equal(ids.size, 1);
    assert.equal(reports.filter(({ was_received_before: again }) => !again).length, 1);
    const added = (await objectsOf(fixture)).filter((key) => !known.has(key));
    assert.deepEqual(added, [`reports/${[...ids][0]}/files/1`]);
  });

  test('the same files of another store, or of another organization, are another report', async () => {
    const path = fixture.givenFile('shared', 'shared.tsv');
    const { id } = await fixture.receive(path);
    const other = await fixture.service.admin(
      'reports',
      'receive',
      '--store',
      'cascade',
      '--format',
      'dsr',
      '--file',
      path,
      ...fixture.owner,
    );
    assert.notEqual(other['id'], id);
  });

  const wrong: readonly [string, string[], RegExp][] = [
    ['an unknown store', ['--store', 'nowhere', '--format', 'dsr', '--file', '{a}'], /no store/],
    ['an unknown format', ['--store', 'aurora', '--format', 'xls', '--file', '{a}'], /must be one/],
    ['no file', ['--store', 'aurora', '--format', 'dsr'], /--file is required/],
    ['a missing file', ['--store', 'aurora', '--format', 'dsr', '--file', '/no'], /no file \/no/],
    [
      'a file twice',
      ['--store', 'aurora', '--format', 'dsr', '--file', '{a}', '--file', '{b}'],
      /same content/,
    ],
    ['an empty file', ['--store', 'aurora', '--format', 'dsr', '--file', '{empty}'], /is empty/],
    [
      'a broken archive',
      ['--store', 'aurora', '--format', 'dsr', '--file', '{broken}'],
      /cannot be uncompressed/,
    ],
  ];
  for (const [name, argv, message] of wrong) {
    test(`${name} is refused and leaves no trace`, async () => {
      const paths: Record<string, string> = {
        '{a}': fixture.givenFile('twin', 'twin-a.tsv'),
        '{b}': fixture.givenFile('twin', 'twin-b.tsv'),
        '{empty}': fixture.givenFile('', 'empty.tsv'),
        '{broken}': fixture.givenFile(gzipSync('x'.repeat(100)).subarray(0, 20), 'broken.gz'),
      };
      const [objects, audited] = [await objectsOf(fixture), await fixture.countAudited()];
      const given = argv.map((text) => paths[text] ?? text);
      await assert.rejects(fixture.reports('receive', ...given), message);
      assert.deepEqual(await objectsOf(fixture), objects);
      assert.equal(await fixture.countAudited(), audited);
    });
  }

  test('a progress of its reading is shown with an estimate', async () => {
    const { id } = await fixture.receive(fixture.givenFile('progress', 'p.tsv'));
    await fixture.service.query(
      `update store_reports set progress = '{"stage": "read", "done": 25, "total": 100,
         "startedAt": "2026-11-17T09:00:00Z", "at": "2026-11-17T09:00:10Z"}' where id = $1`,
      [toUuid(id)],
    );
    const { progress } = await fixture.show(id);
    assert.deepEqual(
      [progress.stage, progress.done, progress.total, progress.seconds_left],
      ['read', 25, 100, 30],
    );
  });
});

const ownerOf = async ({ service }: ReportFixture, id: ReportId): Promise<string> => {
  const text = 'select org_id from store_reports where id = $1';
  return (await service.query(text, [toUuid(id)]))[0].org_id;
};

describe('the owner of a report', () => {
  test('is the system organization in live, and a partner in the sandbox', async () => {
    const [live, sandbox] = [
      await openReportFixture({ environment: 'live' }),
      await openReportFixture(),
    ];
    try {
      const { id } = await live.receive(live.givenFile({}));
      assert.equal(await ownerOf(live, id), toUuid(systemOrgId));
      const partner = await sandbox.service.givenOrganization({ prefix: null });
      await assert.rejects(
        live.service.admin('reports', 'list', '--org', partner.orgId),
        /belong to no organization/,
      );
      const own = await sandbox.receive(sandbox.givenFile({}));
      assert.notEqual(await ownerOf(sandbox, own.id), toUuid(systemOrgId));
      await assert.rejects(sandbox.service.admin('reports', 'list'), /--org is required/);
      await assert.rejects(
        sandbox.service.admin('reports', 'show', '--report', own.id, '--org', partner.orgId),
        /No report has this id/,
      );
    } finally {
      await live.close();
      await sandbox.close();
    }
  });
});
