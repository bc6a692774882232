/**
 * For tests of the sandbox: a delivery fixture with partners that move their sandbox clock. The worker driver handles
 * the move, so `advance` returns when the clock has arrived.
 */

import assert from 'node:assert/strict';
import { type Json, monday, openDeliveryFixture } from './delivery-fixture.ts';
import { partnerOf } from './sandbox-partner.ts';
import type { OrgClient, Reply } from './test-service.ts';

export type SandboxFixture = Awaited<ReturnType<typeof openSandboxFixture>>;
export type DrivenPartner = Awaited<ReturnType<SandboxFixture['newPartner']>>;

export async function openSandboxFixture(now = monday) {
  const fixture = await openDeliveryFixture(now);
  const { service, runUntilIdle } = fixture;

  const createPartner = (caller: OrgClient) => {
    const partner = partnerOf(service, caller);
    const { ask } = partner;
    /** Returns the clock after it has arrived. */
    const advance = async (body: object): Promise<Json> => {
      await ask('POST', '/v1/sandbox/clock/advance', body);
      await runUntilIdle();
      const clock = await partner.clock();
      assert.equal(clock.status, 'idle', 'it has arrived');
      return clock;
    };
    /** All events so far, in order; with `releaseId` only those about that release. */
    const events = async (releaseId?: string): Promise<Json[]> => {
      await service.sequenceEvents();
      const all = await partner.events();
      return all.filter(
        ({ data }) => releaseId === undefined || [data.id, data.release_id].includes(releaseId),
      );
    };
    /** The timeline of one store delivery, oldest first, as `[type, at]`. */
    const storeTimeline = async (id: string, storeId: string): Promise<[string, string][]> => {
      const { data } = await ask(
        'GET',
        `/v1/deliveries/${id}/timeline?store_id=${storeId}&limit=100`,
      );
      return data.toReversed().map(({ type, at }: Json): [string, string] => [type, at]);
    };
    /** A delivery of an approved release. A test adds its scenarios before. */
    const givenDelivery = async (
      stores: readonly string[] = ['aurora'],
      release: object = {},
    ): Promise<Json> => {
      const releaseId = await partner.submit(release);
      await runUntilIdle();
      const { id } = await partner.deliver(releaseId, stores);
      await runUntilIdle();
      return partner.delivery(id);
    };
    /** One store of a delivery, as the API shows it. */
    const storeOf = async (id: string, storeId = 'aurora'): Promise<Json> => {
      const { stores } = await partner.delivery(id);
      return stores.find((store: Json) => store.store_id === storeId);
    };
    const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
      caller.call(method, `/v1/sandbox${path}`, body, headers);
    const answer = (id: string, storeId: string, body: object): Promise<Reply> =>
      call('POST', `/deliveries/${id}/stores/${storeId}/answer`, body);
    return { ...partner, advance, events, storeTimeline, givenDelivery, storeOf, call, answer };
  };

  return {
    ...fixture,
    partnerFor: createPartner,
    newPartner: async () => createPartner(await service.givenOrganization()),
    /** Moves real time without running the worker driver. */
    advanceTimeWithoutWorker: (ms: number) =>
      service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString()),
  };
}

export const addMs = (iso: string, ms: number): string =>
  new Date(Date.parse(iso) + ms).toISOString();
export const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const;
