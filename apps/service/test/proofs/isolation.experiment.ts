/**
 * Compares, for contract §6 ("one slow endpoint never delays another"), how fast healthy endpoints get their events
 * with and without hanging endpoints. One healthy endpoint is in the organization of the hanging ones, another in an
 * organization of its own; each gets an event every 100 ms, created over HTTP. The time from the response to the first
 * byte at the receiver is measured in three phases: without hanging endpoints; while a backlog for fifty endpoints that
 * accept connections and never answer is fanned out; and while that backlog is pending. In the last phase attempts hang
 * until they are cut after 30 s and the next ones begin, at least four at once per endpoint.
 *
 * The backlog's events are appended in transactions of the worker's role; everything after that is real. The hanging
 * endpoints subscribe to another event type, so they share with the healthy one only the organization, its fan-out, the
 * engine and the worker.
 *
 * The bar: in the last phase p95 of both healthy endpoints is at most 1.5 times, or 50 ms more than, that of the first
 * phase (start: 2 s more than that, see excessMsMax); no event is lost; the attempts did hang and be cut; no delivery of the backlog was given up. It fails when
 * hanging attempts take the worker's or the dispatchers' capacity from other endpoints.
 */

import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { openFullStack } from '../full-stack.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import type { OrgClient, TestService } from '../test-service.ts';
import { type Healthy, createMeasurement, p95Excess } from './isolation-probe.ts';
import { appendBacklog } from './webhook-backlog.ts';

type FullStack = Awaited<ReturnType<typeof openFullStack>>;

const small = { hanging: 50, backlog: 1_000, probesWithout: 300, probesWith: 700 };
const sizes: Record<Size, typeof small> = {
  // Measures for more than 30 s, so that the first attempts are cut and others begin meanwhile.
  start: { hanging: 10, backlog: 100, probesWithout: 80, probesWith: 350 },
  small,
  full: { ...small, probesWithout: 1_200, probesWith: 3_600 },
};
/** A short run on a busy machine only shows that no endpoint waits for an attempt of another one, which takes 30 s. */
const excessMsMax = { start: 2_000, small: 0, full: 0 };
const port = 27_680;
const attemptsAtOnce = 4;
/** Longer than the timeout of an attempt. */
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
      same_organization_p95_excess_ms: { atMost: excessMsMax[size] },
      other_organization_p95_excess_ms: { atMost: excessMsMax[size] },
      lost: { equals: 0 },
      // The attempts hung, were cut, and others began; no webhook delivery of the backlog was given up.
      attempts_that_hung: { atLeast: 2 * hanging * attemptsAtOnce },
      still_owed: { equals: hanging * backlog },
    };
  },
  run: async ({ size, say }) => {
    const { hanging, backlog, probesWithout, probesWith } = sizes[size];
    const stack = await openFullStack(port);
    const [same, other] = [await givenHealthy(stack.service), await givenHealthy(stack.service)];
    const measure = createMeasurement({ same, other }, say);
    await measure('warm-up', (probed) => probed < probesToWarmUp);
    const without = await measure('without hanging endpoints', (probed) => probed < probesWithout);

    const hangingReceiver = await openReceiver(({ json }) =>
      json.type === 'ping' ? { status: 200 } : { status: 200, delayMs: hangMs },
    );
    await registerHanging(same.caller, hangingReceiver, hanging);
    await appendBacklog(stack.service, same.caller, backlog);
    const fanningOut = { isOver: false };
    const [during] = await Promise.all([
      measure('while the backlog is fanned out', () => !fanningOut.isOver),
      untilFannedOut(stack, same.caller, hangingReceiver, sizes[size], say).finally(
        () => (fanningOut.isOver = true),
      ),
    ]);
    // Autovacuum does this within a minute; until then PostgreSQL uses plans made for empty tables.
    await stack.service.query('analyze');
    const beside = await measure('with hanging endpoints', (probed) => probed < probesWith);

    const figures = {
      hanging,
      backlog_events: backlog,
      attempts_that_hung: hangingReceiver.events().length,
      still_owed: await countPending(stack.service, same.caller.orgId),
      lost: [without, during, beside].reduce((sum, { lost }) => sum + lost, 0),
      same_organization_p95_excess_ms: p95Excess(without.same, beside.same),
      other_organization_p95_excess_ms: p95Excess(without.other, beside.other),
      event_to_first_byte_ms: { without, while_handed_out: during, with: beside },
    };
    await Promise.all([same, other].map(({ receiver }) => receiver.close()));
    await hangingReceiver.close();
    await stack.close();
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

/** Waits until the backlog is fanned out to webhook deliveries and every endpoint has hanging attempts. */
async function untilFannedOut(
  { service }: FullStack,
  { orgId }: OrgClient,
  hangingReceiver: Receiver,
  { hanging, backlog }: Pick<typeof small, 'hanging' | 'backlog'>,
  say: (line: string) => void,
): Promise<void> {
  const isFannedOut = async () => {
    const pending = await countPending(service, orgId);
    const begun = hangingReceiver.events().length;
    say(`${pending} webhook deliveries pending, ${begun} attempts begun`);
    return pending >= hanging * backlog && begun >= hanging * attemptsAtOnce;
  };
  await until('the backlog is fanned out', isFannedOut, fanOutLimitMs, pollMs);
}

/** Counts the pending webhook deliveries of the hanging endpoints only. */
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
