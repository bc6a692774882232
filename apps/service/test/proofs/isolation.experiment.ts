/**
 * Contract §6: one slow endpoint never delays another. A healthy endpoint in the organization of the hanging ones, and
 * another in an organization of its own, get an event every 100 ms, made over HTTP. How long after the answer to that
 * request an event is at its receiver is measured without the others; then while a backlog for fifty endpoints that
 * accept and never answer is handed out; and then while it stands: attempts at each hang until they are cut after 30 s,
 * and the next ones begin, at least four at once. The backlog's events are appended in transactions of the worker's role; from there on
 * everything is real. The hanging ones ask for another type, so that all the healthy ones share with them is the
 * organization, its fan-out, the engine and the worker.
 */

import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { openFullStack } from '../full-stack.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import { type Healthy, measuring, p95Excess } from './isolation-probe.ts';
import { appendBacklog } from './webhook-backlog.ts';

type WorkingWorld = Awaited<ReturnType<typeof openFullStack>>;

const small = { hanging: 50, backlog: 1_000, probesWithout: 300, probesWith: 700 };
const sizes: Record<Size, typeof small> = {
  // Longer than 30 s: the first attempts are cut and others begin while it is measured.
  start: { hanging: 10, backlog: 100, probesWithout: 80, probesWith: 350 },
  small,
  full: { ...small, probesWithout: 1_200, probesWith: 3_600 },
};
const port = 27_680;
const attemptsAtOnce = 4;
/** Longer than an attempt is waited for. */
const hangMs = 45_000;
const probesToWarmUp = 40;
const fanOutLimitMs = 180_000;
const pollMs = 2_000;

export const experiment: Experiment = {
  compares:
    "a healthy endpoint's p95 from event to first byte beside endpoints that hang, against the same without them",
  bar: (size) => {
    const { hanging, backlog } = sizes[size];
    return {
      same_organization_p95_excess_ms: { atMost: 0 },
      other_organization_p95_excess_ms: { atMost: 0 },
      lost: { equals: 0 },
      // That they did hang, were cut, and others began; and that nothing of it was given up.
      attempts_that_hung: { atLeast: 2 * hanging * attemptsAtOnce },
      still_owed: { equals: hanging * backlog },
    };
  },
  run: async ({ size, say }) => {
    const { hanging, backlog, probesWithout, probesWith } = sizes[size];
    const lab = await openFullStack(port);
    const [same, other] = [await givenHealthy(lab.service), await givenHealthy(lab.service)];
    const measure = measuring({ same, other }, say);
    await measure('to warm up', (probed) => probed < probesToWarmUp);
    const without = await measure('without', (probed) => probed < probesWithout);

    const holes = await openReceiver(({ json }) =>
      json.type === 'ping' ? { status: 200 } : { status: 200, delayMs: hangMs },
    );
    await registerHanging(same.caller, holes, hanging);
    await appendBacklog(lab.service, same.caller, backlog);
    const fanningOut = { isOver: false };
    const [during] = await Promise.all([
      measure('while it is handed out', () => !fanningOut.isOver),
      untilFannedOut(lab, same.caller, holes, sizes[size], say).finally(
        () => (fanningOut.isOver = true),
      ),
    ]);
    // As autovacuum does within a minute: plans made for empty tables are made anew.
    await lab.service.query('analyze');
    const beside = await measure('with', (probed) => probed < probesWith);

    const figures = {
      hanging,
      backlog_events: backlog,
      attempts_that_hung: holes.events().length,
      still_owed: await countPending(lab.service, same.caller.orgId),
      lost: [without, during, beside].reduce((sum, { lost }) => sum + lost, 0),
      same_organization_p95_excess_ms: p95Excess(without.same, beside.same),
      other_organization_p95_excess_ms: p95Excess(without.other, beside.other),
      event_to_first_byte_ms: { without, while_handed_out: during, with: beside },
    };
    await Promise.all([same, other].map(({ receiver }) => receiver.close()));
    await holes.close();
    await lab.close();
    return figures;
  },
};

async function givenHealthy(service: TestService): Promise<Healthy> {
  const caller = await service.givenOrganization();
  const receiver = await openReceiver();
  await register(caller, receiver.url, 'release.created');
  return { caller, receiver };
}

async function register({ call }: OrgClient, url: string, event_type: string): Promise<void> {
  const { json, text } = await call('POST', '/v1/webhooks', { url, event_type });
  if (json?.status !== 'verified') throw new Error(text);
}

async function registerHanging(caller: OrgClient, { url }: Receiver, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await register(caller, `${url}/${i}`, 'release.status.changed');
}

/** Everything is owed, and every endpoint hangs. */
async function untilFannedOut(
  { service }: WorkingWorld,
  { orgId }: OrgClient,
  holes: Receiver,
  { hanging, backlog }: Pick<typeof small, 'hanging' | 'backlog'>,
  say: (line: string) => void,
): Promise<void> {
  const isHandedOut = async () => {
    const pending = await countPending(service, orgId);
    const begun = holes.events().length;
    say(`${pending} owed, ${begun} begun`);
    return pending >= hanging * backlog && begun >= hanging * attemptsAtOnce;
  };
  await until('the backlog is handed out', isHandedOut, fanOutLimitMs, pollMs);
}

/** Of the hanging ones: what healthy ones are owed is on its way. */
async function countPending(service: TestService, orgId: string): Promise<number> {
  const [row] = await service.query(
    `select count(*)::int as pending
       from webhook_deliveries join webhooks on webhooks.org_id = $1 and webhooks.id = webhook_id
      where webhook_deliveries.org_id = $1 and webhook_deliveries.status = 'pending'
        and event_types = '{release.status.changed}'`,
    [toUuid(orgId as Id<'org'>)],
  );
  return row.pending as number;
}
