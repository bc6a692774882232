/** Every cause is tried in every state of a run: only the moves of ADR 0039 happen, and every refusal names its reason. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { workflowOwner } from '../src/kernel/actor.ts';
import { type Id, toUuid, toWire } from '../src/kernel/ids.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import type { RunId, RunPlan } from '../src/royalties/domain/run-plan.ts';
import { blockedReview } from '../src/royalties/domain/run-review.ts';
import type { RunStatus } from '../src/royalties/domain/run.ts';
import { wakeRun } from '../src/royalties/messages.ts';
import { findUnmovedSince } from '../src/royalties/store/runs.ts';
import type { Json } from './delivery-fixture.ts';
import { openTestService, type TestService } from './test-service.ts';
import { openWorkerDriver, type WorkerDriver } from './worker-driver.ts';

const commands = ['start', 'cancel', 'approve', 'close', 'discard'] as const;
const handlers = ['calculate', 'announce', 'close', 'discard'] as const;
type Command = (typeof commands)[number];
type Handler = (typeof handlers)[number];

const emptyPlan: RunPlan = {
  parts: [],
  statements: [],
  others: [],
  rates: [],
  feeRules: [],
  withholding: [],
  sourceTaxes: [],
  holds: [],
  supersessions: [],
  unpaid: [],
  withoutTaxForm: [],
  problems: [],
};

type State = {
  /** Columns of the run that are not the same in every state. */
  readonly columns: { readonly status: RunStatus } & Readonly<Record<string, unknown>>;
  /** What follows from the commands that are not refused, and from the handlers that change something. */
  readonly commands?: Partial<Record<Command, RunStatus>>;
  readonly handlers?: Partial<Record<Handler, RunStatus>>;
  /** Why the other commands are refused, if not because of the status. */
  readonly refusals?: Partial<Record<Command, RegExp>>;
  /** A worker must be working at it, so it counts for the alert RunStuck. */
  readonly isWorkedAt?: true;
  /** Another run can be created beside it. */
  readonly isFinished?: true;
};

const at = '2026-11-16T08:00:00Z';
const planned = { plan: emptyPlan, input_digest: `\\x${'00'.repeat(32)}` };
const reviewed = { ...planned, started_at: at, review: blockedReview([]) };
const approved = {
  ...reviewed,
  status: 'approved',
  approved_by: 'other',
  approved_at: at,
} as const;

const states: Readonly<Record<string, State>> = {
  draft: {
    columns: { status: 'draft' },
    commands: { start: 'calculating', discard: 'discarded' },
  },
  calculating: {
    columns: { status: 'calculating', ...planned, started_at: at },
    commands: { cancel: 'draft', discard: 'discarded' },
    handlers: { calculate: 'review' },
    isWorkedAt: true,
  },
  review: {
    columns: { status: 'review', ...reviewed },
    commands: { approve: 'approved', discard: 'discarded' },
  },
  'review with a problem': {
    columns: { status: 'review', ...reviewed, review: blockedReview(['No rate JPY/EUR.']) },
    commands: { discard: 'discarded' },
    refusals: { approve: /The run has problems that block it: No rate JPY\/EUR\./ },
  },
  approved: {
    columns: approved,
    commands: { close: 'approved', discard: 'discarded' },
  },
  'approved and being closed': {
    columns: { ...approved, closing_at: at },
    handlers: { close: 'closed' },
    isWorkedAt: true,
    refusals: { close: /The run is being closed\./, discard: /The run is being closed\./ },
  },
  closed: {
    columns: { ...approved, status: 'closed', closing_at: at, closed_at: at },
    isFinished: true,
  },
  'discarded and being removed': {
    columns: { status: 'discarded' },
    handlers: { discard: 'discarded' },
    isWorkedAt: true,
  },
  discarded: {
    columns: { status: 'discarded', removed_at: at },
    isFinished: true,
  },
};

describe('ADR 0039: the moves between the states of a run', () => {
  let service: TestService;
  let worker: WorkerDriver;
  let fxSetId: string;
  before(async () => {
    service = await openTestService({ now: '2026-12-16T09:00:00.000Z' });
    worker = openWorkerDriver(service);
    const set = ['--name', 'states', '--as-of', '2026-10-31', '--rate', 'EUR/USD=1.08'];
    fxSetId = ((await service.admin('fx-rate-sets', 'create', ...set)) as Json).id;
  });
  after(() => service.close());

  /** The only run, in this state. */
  const givenRun = async ({ columns }: State): Promise<RunId> => {
    const id = randomUUID();
    const common = {
      org_id: toUuid(systemOrgId),
      id,
      statement_month: '2026-10',
      fx_set_id: toUuid(fxSetId as Id<'fxs'>),
      rules_version: '1',
      row_count: 0,
      created_by: 'creator',
      created_at: at,
      updated_at: at,
      actor_type: 'workflow',
      actor_id: 'test',
    };
    await service.query('delete from royalty_runs');
    await service.query(
      'insert into royalty_runs select * from jsonb_populate_record(null::royalty_runs, $1)',
      [JSON.stringify({ ...common, ...columns })],
    );
    return toWire('run', id);
  };
  /** Everything that a move may change, and the messages that it may send. */
  const read = async (): Promise<Json> => ({
    runs: await service.query('select * from royalty_runs'),
    timers: await service.query('select handler from timers order by id'),
  });
  const run = (command: string, id: RunId): Promise<Json> =>
    service.admin('runs', command, '--run', id);
  const statusOf = async (id: RunId): Promise<RunStatus> => (await run('show', id)).status;

  /** The message that a command sends to the worker. */
  const sent: Readonly<Record<Command, readonly Handler[]>> = {
    start: ['calculate'],
    cancel: [],
    approve: ['announce'],
    close: ['close'],
    discard: ['discard'],
  };

  test('a run that was calculated before summaries had totals cannot be closed; it can be discarded', async () => {
    const approvedState = states['approved'];
    assert.ok(approvedState !== undefined);
    const id = await givenRun(approvedState);
    await service.query(
      `insert into run_statements (org_id, run_id, statement_id, partner_org_id, currency, line_item_count)
       values ($1, $2, gen_random_uuid(), gen_random_uuid(), 'EUR', 3)`,
      [toUuid(systemOrgId), toUuid(id)],
    );
    const unmoved = await read();
    await assert.rejects(
      run('close', id),
      /without the totals that summaries need\. Discard it \(runs discard\) and calculate the month again/,
    );
    assert.deepEqual(await read(), unmoved);
    assert.equal((await run('discard', id)).status, 'discarded');
    await service.query('delete from run_statements');
  });

  for (const [name, state] of Object.entries(states)) {
    const { status } = state.columns;
    for (const command of commands) {
      const to = state.commands?.[command];
      test(`${name}: runs ${command} ${to === undefined ? 'is refused' : `→ ${to}`}`, async () => {
        const id = await givenRun(state);
        const unmoved = await read();
        if (to === undefined) {
          const refusal =
            state.refusals?.[command] ??
            new RegExp(`The run is ${status}; ${command} needs a run that is (?!.*${status})`);
          await assert.rejects(run(command, id), refusal);
          assert.deepEqual(await read(), unmoved);
          return;
        }
        assert.equal((await run(command, id)).status, to);
        const moved = await read();
        assert.equal(moved.runs[0].closing_at === null, command !== 'close');
        assert.deepEqual(
          moved.timers.slice(unmoved.timers.length),
          sent[command].map((handler) => ({ handler })),
        );
      });
    }

    for (const handler of handlers) {
      const to = state.handlers?.[handler];
      test(`${name}: the message ${handler} ${to === undefined ? 'changes nothing' : `→ ${to}`}`, async () => {
        const id = await givenRun(state);
        const unmoved = await read();
        await worker.handle(wakeRun(systemOrgId, id, handler));
        if (to === undefined) assert.deepEqual(await read(), unmoved);
        else {
          assert.notDeepEqual(await read(), unmoved);
          assert.equal(await statusOf(id), to);
        }
      });
    }

    const isFinished = state.isFinished === true;
    test(`${name}: runs create is ${isFinished ? 'possible' : 'refused'}`, async () => {
      const id = await givenRun(state);
      const create = () =>
        service.admin('runs', 'create', '--month', '2026-11', '--fx-set', fxSetId);
      if (!isFinished) {
        const unmoved = await read();
        await assert.rejects(create(), new RegExp(`${id} is not finished`));
        assert.deepEqual(await read(), unmoved);
        return;
      }
      assert.equal(((await create()) as Json).status, 'calculating');
      assert.equal(await statusOf(id), status);
    });

    const isWorkedAt = state.isWorkedAt === true;
    test(`${name}: ${isWorkedAt ? 'its age counts' : 'nobody is alerted'}`, async () => {
      await givenRun(state);
      const owner = workflowOwner(systemOrgId, 'test');
      const since = await service.workerDb.transact(owner, findUnmovedSince);
      assert.deepEqual(since, isWorkedAt ? new Date(at) : null);
    });

    test(`${name}: runs show, list and review change nothing`, async () => {
      const id = await givenRun(state);
      const unmoved = await read();
      assert.equal((await run('review', id)).status, status);
      assert.equal(((await service.admin('runs', 'list')) as Json).data[0].status, status);
      assert.equal(await statusOf(id), status);
      assert.deepEqual(await read(), unmoved);
    });
  }

  test('every command refuses a run that does not exist', async () => {
    const id = toWire('run', randomUUID());
    for (const command of [...commands, 'show', 'review']) {
      await assert.rejects(run(command, id), /There is no run with this id/);
    }
  });

  test('only one of two equal commands at once moves the run', async () => {
    for (const [name, command] of [
      ['draft', 'start'],
      ['calculating', 'cancel'],
      ['review', 'approve'],
      ['approved', 'close'],
      ['review', 'discard'],
    ] as const) {
      const id = await givenRun(states[name]!);
      const outcomes = await Promise.allSettled([run(command, id), run(command, id)]);
      const moved = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      assert.equal(moved.length, 1, command);
    }
  });
});
