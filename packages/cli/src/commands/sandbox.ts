/** `sandbox clock|scenario|reset` */

import {
  type CreateScenario,
  type SandboxClock,
  type SetClockMode,
  WaitTimeoutError,
} from '@tonearm/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { type BodyOptions, addBodyOptions, readBody } from '../body.ts';
import { runs } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, addListOptions, pageSize, printList, readList } from '../list.ts';
import { printFields } from '../output/fields.ts';
import { durationMs } from '../output/units.ts';
import { parseTimeout } from './deliver.ts';

const usualTimeoutMs = 180_000;
/** A year of royalties takes minutes. */
const resetTimeoutMs = 600_000;

type ResetOptions = {
  readonly seed: boolean;
  readonly royalties?: boolean;
  readonly timeout: number;
};

function printClock({ output }: Context, clock: SandboxClock): void {
  output.result(clock, () => {
    printFields(output, [
      ['Now', clock.now],
      ['Mode', clock.mode],
      ['Status', clock.status],
      ['Next due', clock.next_due_at],
    ]);
    if (clock.mode === 'manual') output.next('tonearm sandbox clock mode running');
  });
}

/** A duration, or an instant to move to. */
function parseAdvance(text: string): string {
  if (durationMs(text) !== undefined || !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Use for example 6h, 3d or 2027-01-15T12:00:00Z.');
}

type WaitOptions = { readonly wait: boolean; readonly timeout: number };

async function advance(
  context: Context,
  to: string,
  { wait, timeout }: WaitOptions,
): Promise<void> {
  const { client, signal } = context;
  const { clock } = client().sandbox;
  const body = durationMs(to) === undefined ? { to } : { by: to };
  const begun = await clock.advance(body, { signal });
  if (!wait) {
    printClock(context, begun);
    return;
  }
  try {
    printClock(context, await clock.waitFor({ signal, timeoutMs: timeout }));
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
    throw new Failure(
      'waitTimeout',
      'wait_timeout',
      `The clock has not arrived after ${timeout / 1_000} s.`,
      ['tonearm sandbox clock get'],
    );
  }
}

function addClockCommands(sandbox: Command): void {
  const clock = sandbox.command('clock').description('read and move the time of the sandbox');
  runs(clock.command('get').description('show the time'), async (context) =>
    printClock(context, await context.client().sandbox.clock.get({ signal: context.signal })),
  );
  runs<WaitOptions>(
    clock
      .command('advance')
      .argument('<time>', 'such as 6h or 3d, or an instant', parseAdvance)
      .option('--no-wait', 'return at once')
      .option('--timeout <time>', 'how long to wait', parseTimeout, usualTimeoutMs)
      .description('move the time forward; everything that becomes due happens'),
    (context, [to = ''], options) => advance(context, to, options),
  );
  runs(
    clock
      .command('mode')
      .argument('<mode>', 'running or manual')
      .description('let the clock run, or freeze it'),
    async (context, [mode = '']) =>
      printClock(
        context,
        await context
          .client()
          .sandbox.clock.setMode(
            { mode: mode as SetClockMode['mode'] },
            { signal: context.signal },
          ),
      ),
  );
}

type ScenarioOptions = BodyOptions & {
  readonly store?: string;
  readonly release?: string;
  readonly action?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly after?: string;
};

/** One step from options, or any number of them with --data. */
function stepsOf({ action, code, reason, after }: ScenarioOptions): object[] | undefined {
  if (action === undefined) return undefined;
  const step = { action, code, reason, after };
  return [Object.fromEntries(Object.entries(step).filter(([, value]) => value !== undefined))];
}

async function setScenario(context: Context, options: ScenarioOptions): Promise<void> {
  const { output, client, signal } = context;
  const body = await readBody(options, {
    store_id: options.store,
    release_id: options.release,
    steps: stepsOf(options),
  });
  const scenario = await client().sandbox.scenarios.create(body as CreateScenario, { signal });
  output.result(scenario, () => {
    const store = scenario.store_id ?? 'Every store';
    const steps = scenario.steps.map(({ action }) => action).join(', then ');
    output.line(`${scenario.id}: ${store} does ${steps}, with what is sent from now on.`);
    output.next('tonearm sandbox scenario clear');
  });
}

function addScenarioCommands(sandbox: Command): void {
  const scenario = sandbox.command('scenario').description('script what stores do');
  runs<ScenarioOptions>(
    addBodyOptions(
      scenario.command('set').description('script a store; --data takes several steps'),
    )
      .option('--store <store>', 'the store; omitted: every store')
      .option('--release <release>', 'the release; omitted: every release')
      .option('--action <action>', 'confirm, reject, flag, delay, late, lose, duplicate or outage')
      .option('--code <code>', 'the rejection code')
      .option('--reason <text>', 'the reason of the store')
      .option('--after <time>', 'how long the store takes, such as 2h'),
    (context, _, options) => setScenario(context, options),
  );
  runs<ListOptions>(
    addListOptions(scenario.command('list').description('list scenarios, newest first')),
    async (context, _, options) => {
      const pager = context
        .client()
        .sandbox.scenarios.list({ limit: pageSize(options) }, { signal: context.signal });
      printList(context, await readList(pager, options), {
        columns: [{ title: 'Scenario' }, { title: 'Store' }, { title: 'Steps', shrinksTo: 10 }],
        row: ({ id, store_id: store, steps }) => [
          id,
          store ?? 'every store',
          steps.map(({ action }) => action).join(', '),
        ],
        ifEmpty: 'Stores do what they usually do.',
      });
    },
  );
  runs(
    scenario.command('clear').description('delete all scenarios'),
    async ({ client, output, signal }) => {
      await client().sandbox.scenarios.deleteAll({ signal });
      output.result({ deleted: true }, () => output.line('Stores do what they usually do again.'));
    },
  );
}

async function reset(context: Context, options: ResetOptions): Promise<void> {
  await confirm(context, 'Delete every release, delivery and scenario of this sandbox?');
  const { client, output, signal } = context;
  const { seed, royalties, timeout } = options;
  await client().sandbox.reset({ seed, ...(royalties === true && { royalties }) }, { signal });
  const done = await client().sandbox.waitForReset({ signal, timeoutMs: timeout });
  if (done.status === 'failed') {
    throw new Failure('notDelivered', 'reset_failed', done.problem ?? 'The reset failed.');
  }
  output.result(done, () => {
    output.line(seed ? 'The sandbox is new, with a catalogue to try.' : 'The sandbox is empty.');
    output.next('tonearm releases list');
  });
}

export function addSandboxCommands(program: Command): void {
  const sandbox = program.command('sandbox').description('move time, script stores, start over');
  addClockCommands(sandbox);
  addScenarioCommands(sandbox);
  runs<ResetOptions>(
    sandbox
      .command('reset')
      .option('--no-seed', 'without a catalogue to try')
      .option('--royalties', 'with a year of royalties')
      .option('--timeout <time>', 'how long to wait', parseTimeout, resetTimeoutMs)
      .description('delete everything in the sandbox and start over (asks first)'),
    (context, _, options) => reset(context, options),
  );
}
