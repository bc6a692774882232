import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchProblem, completeBatches, countRefused } from './incoming-batch.ts';
import { refuseDecision, undecidedOverlaps } from './report-decision.ts';
import { fileSetProblem } from './report-files.ts';
import { parseProgress, progressAt, secondsLeft } from './report-progress.ts';
import { type ReportId, type ReportStatus, reportStatuses } from './report.ts';
import { canMoveReport, movedReport, refuseReject, type StoreReport } from './store-report.ts';

const now = new Date('2026-11-17T09:00:00Z');

const given = (fields: Partial<StoreReport> = {}): StoreReport => ({
  id: 'rpt_1',
  storeId: 'aurora',
  format: 'dsr',
  status: 'validated',
  messageId: null,
  setDigest: '',
  periodStart: null,
  periodEnd: null,
  rejection: null,
  rowsRead: 0,
  rowsMatched: 0,
  rowsSuspense: 0,
  rowsRejected: 0,
  overlapsWith: [],
  supersedes: [],
  supplements: [],
  progress: null,
  createdAt: now,
  updatedAt: now,
  ...fields,
});

describe('the states of a report', () => {
  const allowed = new Set([
    'received validated',
    'received rejected',
    'received matched',
    'validated matched',
    'validated rejected',
    'validated superseded',
    'matched included',
    'matched rejected',
    'matched superseded',
    'included matched',
    'included superseded',
  ]);
  for (const from of reportStatuses) {
    for (const to of reportStatuses) {
      const isAllowed = allowed.has(`${from} ${to}`);
      test(`${from} → ${to}: ${isAllowed ? 'moves' : 'never'}`, () => {
        assert.equal(canMoveReport(from, to), isAllowed);
        const move = () => movedReport(given({ status: from }), to, now);
        if (isAllowed) assert.equal(move().status, to);
        else assert.throws(move, /cannot move/);
      });
    }
    test(`the operator ${canMoveReport(from, 'rejected') ? 'can' : 'cannot'} reject a report that is ${from}`, () => {
      const problem = refuseReject(given({ status: from }));
      assert.equal(problem === undefined, canMoveReport(from, 'rejected'));
    });
  }
});

describe('a decision about an overlap', () => {
  const overlapsWith: readonly ReportId[] = ['rpt_2', 'rpt_3'];
  const live = overlapsWith.map((id) => ({ id, status: 'matched' as ReportStatus }));

  test('is needed for each live overlap', () => {
    const report = given({ overlapsWith, supplements: ['rpt_3'] });
    assert.deepEqual(undecidedOverlaps(report, live), ['rpt_2']);
    const superseded = [{ id: 'rpt_2', status: 'superseded' } as const];
    assert.deepEqual(undecidedOverlaps(report, superseded), []);
  });

  const refused: readonly [string, Partial<StoreReport>, ReportId, RegExp][] = [
    [
      'about a report that does not overlap',
      {},
      'rpt_9',
      /waits for a decision about rpt_2, rpt_3/,
    ],
    [
      'made twice',
      { supersedes: ['rpt_2'] },
      'rpt_2',
      /decided already that rpt_1 supersedes rpt_2/,
    ],
    ['for a report that is not read', { status: 'received' }, 'rpt_2', /when it has been read/],
    ['for a rejected report', { status: 'rejected' }, 'rpt_2', /never be paid/],
    ['for a matched report', { status: 'matched' }, 'rpt_2', /every overlap is decided/],
    ['for an included report', { status: 'included' }, 'rpt_2', /a run has taken it/],
    ['for a superseded report', { status: 'superseded' }, 'rpt_2', /has replaced it/],
  ];
  for (const [name, fields, other, message] of refused) {
    test(`${name} is refused`, () => {
      const problem = refuseDecision(given({ overlapsWith, ...fields }), other, live);
      assert.equal(problem?.code, 'invalid_state');
      assert.match(problem.message, message);
    });
  }

  test('about a report that was rejected since is refused', () => {
    const others = [{ id: 'rpt_2', status: 'rejected' } as const];
    assert.match(
      refuseDecision(given({ overlapsWith }), 'rpt_2', others)?.message ?? '',
      /needs no decision/,
    );
    assert.equal(refuseDecision(given({ overlapsWith }), 'rpt_2', live), undefined);
  });
});

describe('incoming batches', () => {
  const folder = 'reports/incoming/aurora/dsr/2026-10/';

  test('are complete when their semaphore is there', () => {
    const keys = [`${folder}a.tsv`, `${folder}deep/b.tsv`];
    assert.deepEqual(completeBatches(keys), []);
    const [batch] = completeBatches([...keys, `${folder}BatchComplete`, `${folder}BatchRefused`]);
    assert.deepEqual(
      batch?.files.map(({ name }) => name),
      ['a.tsv', 'deep/b.tsv'],
    );
    assert.deepEqual([batch?.storeId, batch?.format], ['aurora', 'dsr']);
  });

  test('of another folder, or without a batch name, are ignored', () => {
    const stray = ['reports/incoming/BatchComplete', 'reports/incoming/aurora/dsr/BatchComplete'];
    assert.deepEqual(completeBatches([...stray, `${folder}deep/BatchComplete`]), []);
    assert.equal(countRefused([`${folder}BatchRefused`, `${folder}a.tsv`]), 1);
  });

  test('without files, with too many or of an unknown format are refused', () => {
    const file = { name: 'a', objectKey: 'a' };
    const batch = { prefix: folder, storeId: 'aurora', format: 'dsr', files: [file] };
    assert.equal(batchProblem(batch), undefined);
    assert.match(batchProblem({ ...batch, format: 'xls' }) ?? '', /"xls" is not a format/);
    assert.match(batchProblem({ ...batch, files: [] }) ?? '', /no files/);
    const files = Array.from({ length: 1_001 }, () => file);
    assert.match(batchProblem({ ...batch, files }) ?? '', /at most 1000/);
  });

  test('with a file twice or an empty file are refused', () => {
    const file = { name: 'a', sizeBytes: 1, sha256: '00' };
    assert.equal(fileSetProblem([file, { ...file, sha256: '01' }]), undefined);
    assert.match(fileSetProblem([file, { ...file, name: 'b' }]) ?? '', /a and b have the same/);
    assert.match(fileSetProblem([{ ...file, sizeBytes: 0 }]) ?? '', /a is empty/);
  });
});

describe('the progress of a reading', () => {
  test('estimates the rest of a stage from its speed', () => {
    const begun = progressAt(undefined, { stage: 'read', done: 0, total: 100 }, now);
    assert.equal(secondsLeft(begun), null);
    const later = new Date(now.getTime() + 10_000);
    const quarter = progressAt(begun, { stage: 'read', done: 25, total: 100 }, later);
    assert.equal(secondsLeft(quarter), 30);
    const next = progressAt(quarter, { stage: 'match', done: 1, total: 2 }, later);
    assert.equal(next.startedAt, later.toISOString());
  });

  test('ignores what is no progress', () => {
    for (const sent of [undefined, null, 'x', {}, { stage: 'read', done: '1', total: 2 }]) {
      assert.equal(parseProgress(sent), undefined);
    }
  });
});
