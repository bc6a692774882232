/**
 * No request may block the event loop: preflight of the largest possible release runs in another thread. The test
 * measures the processor time of the main thread, which does not depend on the load of the machine.
 */

import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { buildNewRelease } from '@tonearm/ern';
import { applyFixes, planFixes } from '../src/catalog/commands/apply-fixes.ts';
import type { Id, OrgId } from '../src/kernel/ids.ts';
import {
  createThreads,
  ThreadOutOfMemory,
  ThreadTimeout,
} from '../src/platform/threads/threads.ts';
import { album } from './ern-messages.ts';
import { largestRelease } from './proofs/largest-content.ts';
import { type OrgClient, openTestService, type Reply, type TestService } from './test-service.ts';

/** For a report of one megabyte: reading the release, copying it to a thread and back, and answering. */
const mainThreadMsMax = 700;

describe('the event loop', () => {
  let service: TestService;
  let label: OrgClient;
  let releaseId: Id<'rel'>;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    releaseId = await largestRelease(service, label);
  });
  after(() => service.close());

  /** Without the deadline of the thread, which a busy machine exceeds. */
  const mainThreadMs = async (work: () => Promise<Reply>): Promise<readonly [number, Reply]> => {
    const deadline = mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
    try {
      const start = process.threadCpuUsage();
      const result = await work();
      const { user, system } = process.threadCpuUsage(start);
      return [(user + system) / 1_000, result];
    } finally {
      deadline.mock.restore();
    }
  };

  const validate = () => label.call('POST', `/v1/releases/${releaseId}/validate`);

  test('is not blocked by a report on the largest release and 100 of its fixes', async () => {
    const [validated, report] = await mainThreadMs(validate);
    assert.equal(report.status, 200, report.text.slice(0, 500));
    const fixable = report.json.findings.filter(({ patch }: { patch: unknown }) => patch !== null);
    assert.equal(fixable.length, 200);
    const finding_ids = fixable.slice(0, 100).map(({ id }: { id: string }) => id);
    const postFixes = () => label.call('POST', `/v1/releases/${releaseId}/fixes`, { finding_ids });
    const [fixed, fixes] = await mainThreadMs(postFixes);
    assert.equal(fixes.status, 200, fixes.text.slice(0, 500));
    const [, again] = await mainThreadMs(validate);
    const remaining = new Set(again.json.findings.map(({ id }: { id: string }) => id));
    assert.ok(finding_ids.every((id: string) => !remaining.has(id)));
    const spent = { validated, fixed };
    assert.ok(Math.max(...Object.values(spent)) < mainThreadMsMax, JSON.stringify(spent));
  });

  test('fixes that were computed before another change are computed again', async () => {
    const owner = { orgId: label.orgId as OrgId, actor: { type: 'workflow', id: 'test' } } as const;
    const [, report] = await mainThreadMs(validate);
    const finding = report.json.findings.find(({ patch }: { patch: unknown }) => patch !== null);
    const planned = await planFixes(service.db, {
      id: releaseId,
      findingIds: [finding.id],
      ...owner,
    });
    await label.call('PATCH', `/v1/releases/${releaseId}`, { genre: 'Pop' });
    const apply = () => service.db.transact(owner, (tx) => applyFixes(tx, releaseId, planned));
    await assert.rejects(apply, { name: 'Conflict' });
    const concurrentChange = label.call('PATCH', `/v1/releases/${releaseId}`, { genre: 'Rock' });
    const [, fixed] = await mainThreadMs(() =>
      label.call('POST', `/v1/releases/${releaseId}/fixes`, { finding_ids: [finding.id] }),
    );
    assert.equal(fixed.status, 200, fixed.text.slice(0, 500));
    assert.equal((await concurrentChange).status, 200);
    assert.equal((await label.call('GET', `/v1/releases/${releaseId}`)).json.genre, 'Rock');
  });

  test('is not blocked by the submission of the release and a dry run of its delivery', async () => {
    const [submitMs, submission] = await mainThreadMs(() =>
      label.call('POST', `/v1/releases/${releaseId}/submit`),
    );
    assert.equal(submission.status, 200, submission.text.slice(0, 500));
    const [dryRunMs, dryRun] = await mainThreadMs(() =>
      label.call('POST', '/v1/deliveries/dry_run', {
        release_id: releaseId,
        stores: ['aurora'],
        territory_codes: ['WORLDWIDE'],
      }),
    );
    assert.equal(dryRun.status, 200, dryRun.text.slice(0, 500));
    const spentMs = { submitMs, dryRunMs };
    assert.ok(Math.max(...Object.values(spentMs)) < mainThreadMsMax, JSON.stringify(spentMs));
  });

  test('is not blocked by an ERN message that repeats a recording or has thousands of deals', async () => {
    const partner = await service.givenOrganization({ tier: 'enterprise' });
    const xml = buildNewRelease(album('614141000036')).xml.replaceAll(/>\s+</g, '><');
    const repeated = (text: string, pattern: RegExp, times: number) =>
      text.replace(pattern, (one) => one.repeat(times));
    const item = /<ResourceGroupContentItem>.*?<\/ResourceGroupContentItem>/s;
    const deals = repeated(xml, /<Deal>.*?<\/Deal>/s, 1_200);
    for (const message of [repeated(deals, item, 3_000), deals, repeated(xml, item, 4_000)]) {
      assert.ok(message.length < 1024 * 1024);
      const [spentMs, refused] = await mainThreadMs(() =>
        partner.call('POST', '/v1/sandbox/ern', message, { 'content-type': 'application/xml' }),
      );
      assert.equal(refused.status, 422, refused.text.slice(0, 500));
      assert.ok(spentMs < mainThreadMsMax, `${spentMs} ms`);
    }
  });

  test('work that exceeds its memory is ended together with its thread', async () => {
    const inThread = createThreads(new URL('./busy-thread.ts', import.meta.url), {
      heapMegabytesMax: 20,
    });
    await assert.rejects(inThread('org_1', 'allocate', 100), ThreadOutOfMemory);
    assert.equal(await inThread('org_1', 'spin', 1), 'done', 'the next one gets a new thread');
  });

  test('work that exceeds its deadline is ended together with its thread', async () => {
    const inThread = createThreads(new URL('./busy-thread.ts', import.meta.url), {
      // A thread starts within this time on a busy machine too.
      deadlineMs: 5_000,
    });
    const spin = (org: number, ms: number) => inThread(`org_${org}`, 'spin', ms);
    const ended = assert.rejects(spin(1, 60_000), ThreadTimeout);
    const next = spin(1, 1);
    assert.equal(await spin(2, 1), 'done', 'another organization has the other thread');
    await ended;
    assert.equal(await next, 'done', 'the next one gets a new thread');
  });
});
