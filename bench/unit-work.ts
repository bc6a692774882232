/** The units of work that `bench unit` measures. Each function does `units` of them, through the api process. */

import { randomUUID } from 'node:crypto';
import { type Id, toUuid, toWire } from '../apps/service/src/kernel/ids.ts';
import { toneWav, type UploadFile, uploadAsset } from '../apps/service/test/asset-files.ts';
import { openClient, runConcurrently } from '../apps/service/test/proofs/client.ts';
import { draft, type OrgClient, trackCredits } from '../apps/service/test/test-service.ts';
import { until } from '../scripts/servers/server.ts';
import type { DeliveryFixture, SentMessageRef } from './delivery-fixture.ts';
import { percentiles } from './pace.ts';
import type { UnitDatabase } from './unit-database.ts';
import type { UnitMeter } from './unit-meter.ts';
import type { Audience, WebhookFixture } from './webhook-fixture.ts';

const arrivesWithinMs = 60_000;
const pollMs = 2;

/** As many requests at a time as a process of a busy api has; one alone costs several times as much. */
const requestsAtOnce = 8;

/** Requests of the organizations in turn. */
export function openRequests({ api }: UnitMeter, partners: readonly OrgClient[]) {
  const client = openClient(api.url, requestsAtOnce);
  const partnerOf = (i: number) => partners[i % partners.length]!;
  const releases: { readonly partner: OrgClient; readonly id: string }[] = [];
  let isrcs = 0;
  let reads = 0;
  const post = async ({ key }: OrgClient, path: string, body: object): Promise<string> => {
    const headers = { 'idempotency-key': randomUUID() };
    const { status, text } = await client.send({ method: 'POST', path, key, body, headers });
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { id: string }).id;
  };
  const createRelease = async (partner: OrgClient) =>
    void releases.push({ partner, id: await post(partner, '/v1/releases', draft()) });
  const releaseOf = (i: number) => releases[i % releases.length]!;
  const createTrack = async () => {
    const { partner, id } = releaseOf(isrcs);
    const isrc = `QZBNC26${String(isrcs++).padStart(5, '0')}`;
    const body = { release_id: id, title: 'Night Drive', isrc, ...trackCredits };
    await post(partner, '/v1/tracks', body);
  };
  const read = async ({ key }: OrgClient, path: string) => {
    const { status, text } = await client.send({ method: 'GET', path, key });
    if (status !== 200) throw new Error(text);
  };
  const each = async (units: number, work: (partner: OrgClient) => Promise<void>) => {
    let next = 0;
    await runConcurrently(requestsAtOnce, async () => {
      const i = next++;
      if (i >= units) return false;
      await work(partnerOf(i));
      return true;
    });
    return {};
  };
  return {
    createReleases: (units: number) => each(units, createRelease),
    createTracks: (units: number) => each(units, createTrack),
    get: (units: number) =>
      each(units, () => {
        const { partner, id } = releaseOf(reads++);
        return read(partner, `/v1/releases/${id}`);
      }),
    list: (units: number) => each(units, (partner) => read(partner, '/v1/releases?limit=20')),
    close: () => client.close(),
  };
}

/** Each event is alone in its transaction, and the next is appended once its endpoint has it. */
export async function sendEventsAlone(
  fixture: WebhookFixture,
  audience: Audience,
  units: number,
): Promise<{ commit_to_receiver_ms: object }> {
  const latencies: number[] = [];
  const marks = fixture.newMarks(audience, units);
  for (const [i, mark] of marks.entries()) {
    const orgId = audience.orgIds[i % audience.orgIds.length]!;
    const [path = ''] = audience.paths.get(orgId) ?? [];
    await fixture.announce(orgId, [mark]);
    const committedAt = performance.now();
    const hasArrived = () => fixture.receiver.receivedAt(path, mark) !== undefined;
    await until(`event ${mark} has arrived`, hasArrived, arrivesWithinMs, pollMs);
    latencies.push(fixture.receiver.receivedAt(path, mark)! - committedAt);
  }
  return { commit_to_receiver_ms: percentiles(latencies) };
}

/**
 * Delivers to `storesEach` stores, one delivery at a time: from POST until it is delivered. The bench records the answers
 * of the stores, each alone, as the worker does that polls a store's folder.
 */
export async function deliverToStores(
  fixture: DeliveryFixture,
  { api, database }: UnitMeter,
  storesEach: number,
  releaseIds: readonly string[],
): Promise<object> {
  const client = openClient(api.url, 1);
  const stores = fixture.storeIds.slice(0, storesEach);
  for (const release_id of releaseIds) {
    const { status, text } = await client.send({
      method: 'POST',
      path: '/v1/deliveries',
      key: fixture.partner.key,
      body: { release_id, stores, territory_codes: ['WORLDWIDE'] },
      headers: { 'idempotency-key': randomUUID() },
    });
    if (status !== 201) throw new Error(text);
    const { id } = JSON.parse(text) as { id: string };
    const ids = [toUuid(id as Id<'dlv'>)];
    await database.until(
      'all messages are sent',
      `select count(*) = 0 from delivery_stores where delivery_id = any($1) and message_state <> 'sent'`,
      [ids],
    );
    for (const message of await sentMessages(database, id as Id<'dlv'>)) {
      await fixture.answer([message]);
    }
    await database.until(
      'the delivery is delivered',
      `select count(*) = 0 from deliveries where id = any($1) and status <> 'delivered'`,
      [ids],
    );
  }
  await client.close();
  return {};
}

async function sentMessages(
  { query }: UnitDatabase,
  deliveryId: Id<'dlv'>,
): Promise<SentMessageRef[]> {
  const rows = await query(
    'select message_id, store_id from delivery_stores where delivery_id = $1',
    [toUuid(deliveryId)],
  );
  return rows.map((row) => ({
    id: toWire('msg', row.message_id as string),
    deliveryId,
    storeId: row.store_id as string,
  }));
}

/** Uploads audio and waits until the worker has examined it, one file at a time. */
export async function uploadAudio(
  partner: OrgClient,
  { api, database }: UnitMeter,
  durationMs: number,
  units: number,
): Promise<object> {
  const caller = callerOf(api.url, partner);
  for (let i = 0; i < units; i++) {
    const id = await uploadAsset(caller, numbered(toneWav(durationMs), i));
    await database.until(
      'the file is examined',
      `select status = 'ready' from assets where id = $1`,
      [toUuid(id as Id<'ast'>)],
    );
  }
  return {};
}

/** Every file differs, so that no cache can answer for the second one. */
function numbered(file: UploadFile, i: number): UploadFile {
  file.bytes.writeUInt32LE(i, 44);
  return file;
}

/** The same organization, at the api process. */
const callerOf = (url: string, { orgId, key }: OrgClient): OrgClient => ({
  orgId,
  key,
  call: async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  },
});
