/** A full stack with hundreds of stores and approved releases. The bench answers in the stores' place. */

import { randomInt } from 'node:crypto';
import { recordAnswers } from '../apps/service/src/delivery/commands/record-answers.ts';
import { type Id, toUuid, toWire } from '../apps/service/src/kernel/ids.ts';
import { createIds } from '../apps/service/src/platform/crypto/new-id.ts';
import { openFullStack } from '../apps/service/test/full-stack.ts';
import { openClient } from '../apps/service/test/proofs/client.ts';
import { scriptStores } from '../apps/service/test/scripted-stores.ts';
import type { OrgClient, TestService } from '../apps/service/test/test-service.ts';
import { until } from '../scripts/servers/server.ts';

const storesMax = 400;
const storeIds = Array.from({ length: storesMax }, (_, i) => `bench${i}`);
const settleMs = 240_000;
const answersPerBatch = 50;
const batchesAtOnce = 4;

export type SentMessageRef = {
  readonly id: Id<'msg'>;
  readonly deliveryId: string;
  readonly storeId: string;
};

export async function openDeliveryFixture(port: number) {
  const stack = await openFullStack(port);
  const { service } = stack;
  await addStores(service);
  const partner = await service.givenOrganization({ tier: 'enterprise' });
  await scriptStores(partner, '*=silent');
  const template = await service.givenSubmittedRelease(partner);
  await until('the template is approved', async () => isApproved(partner, template));
  const http = openClient(service.url, 4);
  const newId = createIds(service.clock);
  const answerDeps = { db: service.workerDb, clock: service.clock, newId };

  const create = async (releaseId: string, stores: readonly string[]): Promise<string> => {
    const body = { release_id: releaseId, stores, territory_codes: ['WORLDWIDE'] };
    const { status, text } = await http.send({
      method: 'POST',
      path: '/v1/deliveries',
      key: partner.key,
      body,
    });
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { id: string }).id;
  };

  const untilSent = (ids: readonly string[]) => {
    let unsent = ids;
    const isSent = async () =>
      (unsent = await findUnsent(service, partner.orgId, unsent)).length === 0;
    return until('all messages are sent', isSent, settleMs);
  };

  return {
    ...stack,
    partner,
    create,
    newId,
    givenReleases: (count: number) => copyReleases(service, partner, template, count),
    /** Creates the deliveries and waits until every store has its message. */
    start: async (releaseIds: readonly string[], storesEach: number): Promise<string[]> => {
      const stores = storeIds.slice(0, storesEach);
      const ids: string[] = [];
      const waiting = [...releaseIds];
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
            ids.push(await create(next, stores));
          }
        }),
      );
      await untilSent(ids);
      return ids;
    },
    storeIds,
    untilSent,
    untilAnswersApplied: (messages: readonly SentMessageRef[]) =>
      until(
        'all answers are applied',
        async () => (await countUnapplied(service, partner.orgId, messages)) === 0,
        settleMs,
      ),
    messagesOf: (ids: readonly string[]) => messagesOf(service, ids),
    answer: (messages: readonly SentMessageRef[]) =>
      recordAnswers(answerDeps, messages.map(asDelivered)),
    /** Records the answers in batches and waits until the last delivery is delivered. */
    answerAll: async (
      messages: readonly SentMessageRef[],
      ids: readonly string[],
    ): Promise<void> => {
      const waiting = shuffled(messages);
      await Promise.all(
        Array.from({ length: batchesAtOnce }, async () => {
          while (waiting.length > 0) {
            await recordAnswers(answerDeps, waiting.splice(0, answersPerBatch).map(asDelivered));
          }
        }),
      );
      await until(
        'all deliveries are delivered',
        async () => (await countUndelivered(service, ids)) === 0,
        settleMs,
      );
    },
    close: async () => {
      await http.close();
      await stack.close();
    },
  };
}

export type DeliveryFixture = Awaited<ReturnType<typeof openDeliveryFixture>>;

const asDelivered = ({ id }: SentMessageRef) =>
  ({ messageId: id, kind: 'delivered', url: null }) as const;

async function isApproved({ call }: OrgClient, releaseId: string): Promise<boolean> {
  const { json } = await call('GET', `/v1/releases/${releaseId}`);
  return json.submission.review_status === 'approved';
}

const addStores = (service: TestService) =>
  service.query(
    `insert into stores (store_id, name, territory_codes, audio_formats, use_types, pre_order, takedown, updates,
                         ern_version, lead_time_business_days, rule_pack, status, max_concurrent_sends, updated_at, actor_type, actor_id)
     select store_id, store_id, '{US,GB,DE,FR,JP}', '{wav,flac}', '{ad_supported_stream}', false, true, true, '4.3.2', 5, 'base',
            'active', 4, now(), 'operator', 'bench' from unnest($1::text[]) store_id`,
    [storeIds],
  );

/** Copies the template release; each copy has its own id and label, so that fingerprints differ. */
async function copyReleases(
  service: TestService,
  { orgId }: OrgClient,
  template: string,
  count: number,
): Promise<string[]> {
  const newId = createIds(service.clock);
  const copies = Array.from({ length: count }, () => newId('rel'));
  const records = JSON.stringify(
    copies.map((id) => ({ uuid: toUuid(id), wire: id, label: `Label ${id.slice(-12)}` })),
  );
  const values = [toUuid(orgId as Id<'org'>), toUuid(template as Id<'rel'>), records];
  const columns: { name: string }[] = await service.query(
    `select attname as name from pg_attribute
      where attrelid = 'releases'::regclass and attnum > 0 and not attisdropped and attname not in ('id', 'label')`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  await service.query(
    `insert into releases (id, label, ${names})
     select copy.uuid, copy.label, ${names} from releases, json_to_recordset($3::json) as copy (uuid uuid, label text)
      where releases.org_id = $1 and releases.id = $2`,
    values,
  );
  await service.query(
    `insert into release_snapshots (org_id, release_id, revision, snapshot, created_at)
     select org_id, copy.uuid, revision, jsonb_set(snapshot, '{release,id}', to_jsonb(copy.wire)), created_at
       from release_snapshots, json_to_recordset($3::json) as copy (uuid uuid, wire text)
      where org_id = $1 and release_id = $2`,
    values,
  );
  return copies;
}

const uuids = (ids: readonly string[]) => ids.map((id) => toUuid(id as Id<'dlv'>));

/** The deliveries with an unsent message. Each is read up to its first: the question must not cost what it waits for. */
async function findUnsent(
  service: TestService,
  orgId: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await service.query(
    `select id from unnest($2::uuid[]) sought (id)
      where exists (select from delivery_stores
                     where org_id = $1 and delivery_id = sought.id and message_state <> 'sent')`,
    [toUuid(orgId as Id<'org'>), uuids(ids)],
  );
  return rows.map(({ id }: { id: string }) => toWire('dlv', id));
}

async function countUnapplied(
  service: TestService,
  orgId: string,
  messages: readonly SentMessageRef[],
): Promise<number> {
  const [row] = await service.query(
    `select count(*)::int as unapplied from delivery_stores
      where org_id = $1 and message_id = any($2) and delivery_id = any($3) and status <> 'delivered'`,
    [
      toUuid(orgId as Id<'org'>),
      messages.map(({ id }) => toUuid(id)),
      [...new Set(messages.map(({ deliveryId }) => deliveryId))],
    ],
  );
  return row.unapplied as number;
}

async function countUndelivered(service: TestService, ids: readonly string[]): Promise<number> {
  const [row] = await service.query(
    `select count(*)::int as undelivered from deliveries where id = any($1) and status <> 'delivered'`,
    [uuids(ids)],
  );
  return row.undelivered as number;
}

async function messagesOf(service: TestService, ids: readonly string[]): Promise<SentMessageRef[]> {
  const rows = await service.query(
    'select message_id, delivery_id, store_id from delivery_stores where delivery_id = any($1)',
    [uuids(ids)],
  );
  return rows.map((row: { message_id: string; delivery_id: string; store_id: string }) => ({
    id: toWire('msg', row.message_id),
    deliveryId: row.delivery_id,
    storeId: row.store_id,
  }));
}

export function shuffled<T>(items: readonly T[]): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
