/**
 * A partner of the sandbox over HTTP: creates releases and deliveries, moves the sandbox clock and polls until it has
 * arrived. For journeys and proofs with a real worker; `sandbox-fixture.ts` adds the worker driver.
 */

import assert from 'node:assert/strict';
import { until } from '../../../scripts/servers/server.ts';
import type { OrgClient, Reply, TestService } from './test-service.ts';

type Json = Reply['json'];

export type Partner = ReturnType<typeof partnerOf>;

export function partnerOf(service: Pick<TestService, 'givenSubmittedRelease'>, caller: OrgClient) {
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, json, text } = await caller.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  const clock = (): Promise<Json> => ask('GET', '/v1/sandbox/clock');
  /** Returns the clock after it has arrived. */
  const advance = async (body: object, timeoutMs?: number): Promise<Json> => {
    await ask('POST', '/v1/sandbox/clock/advance', body);
    let now: Json;
    await until(
      'the clock has arrived',
      async () => (now = await clock()).status === 'idle',
      timeoutMs,
    );
    return now;
  };
  return {
    caller,
    ask,
    clock,
    advance,
    setMode: (mode: string) => ask('PATCH', '/v1/sandbox/clock', { mode }),
    addScenario: (steps: readonly object[], fields: object = {}) =>
      ask('POST', '/v1/sandbox/scenarios', { steps, ...fields }),
    submit: (fields: object = {}) => service.givenSubmittedRelease(caller, fields),
    deliver: (release_id: string, stores: readonly string[]) =>
      ask('POST', '/v1/deliveries', { release_id, stores, territory_codes: ['WORLDWIDE'] }),
    delivery: (id: string) => ask('GET', `/v1/deliveries/${id}`),
    statusByStore: async (id: string): Promise<Record<string, string>> => {
      const { stores } = await ask('GET', `/v1/deliveries/${id}`);
      return Object.fromEntries(stores.map((store: Json) => [store.store_id, store.status]));
    },
    /** All events so far, in order. */
    events: async (): Promise<Json[]> => {
      const found: Json[] = [];
      for (let after = 0, hasMore = true; hasMore;) {
        const page = await ask('GET', `/v1/events?after=${after}&limit=100`);
        found.push(...page.data);
        hasMore = page.has_more;
        after = page.data.at(-1)?.sequence ?? after;
      }
      return found;
    },
  };
}
