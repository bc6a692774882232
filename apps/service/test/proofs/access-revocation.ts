/** Measures how long a revoked key, client and secret still work, on every api process, for `access.experiment.ts`. */

import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'undici';
import { givenOAuthClient, givenToken } from '../oauth-fixture.ts';
import type { TestService } from '../test-service.ts';
import { openVictim } from './access-loot.ts';

const pollMs = 100;
/** Longer than the cache of the api processes, so that the last acceptance is seen. */
const watchMs = 6_500;
const warmUpMs = 1_000;

type Watched = { readonly name: string; readonly secret: string };

/** When each process last accepted each credential; the time is that of sending the request. */
type Seen = { lastAcceptedMs: number; accepted: number; refused: number };

export async function measureRevocation(service: TestService, pools: readonly Pool[]) {
  const { owner } = await openVictim(service);
  const key = await service.admin('key', 'create', '--org', owner.orgId);
  const deleted = await givenOAuthClient(owner);
  const rotated = await givenOAuthClient(owner);
  const watched: readonly Watched[] = [
    { name: 'key', secret: key['secret'] ?? '' },
    { name: "deleted client's token", secret: await givenToken(service, deleted) },
    { name: "revoked secret's token", secret: await givenToken(service, rotated) },
  ];
  const seen = new Map<string, Seen>();
  const state = { isDone: false };
  const polls = pools.flatMap((pool, process) =>
    watched.map(({ name, secret }) =>
      pollUntilDone(pool, secret, seenAt(seen, `${name}, process ${process}`), state),
    ),
  );
  await wait(warmUpMs);
  await service.admin('key', 'revoke', '--org', owner.orgId, '--key', key['id'] ?? '');
  await owner.call('DELETE', `/v1/oauth_clients/${deleted.id}`);
  await owner.call('DELETE', `/v1/oauth_clients/${rotated.id}/secrets/${rotated.secretId}`);
  const revokedMs = performance.now();
  await wait(watchMs);
  state.isDone = true;
  await Promise.all(polls);
  const all = [...seen.values()];
  const lateMs = all.map(({ lastAcceptedMs }) => Math.max(0, lastAcceptedMs - revokedMs));
  return {
    revoked_credentials_times_processes: all.length,
    never_accepted_before: all.filter(({ accepted }) => accepted === 0).length,
    never_refused_after: all.filter(({ refused }) => refused === 0).length,
    revoked_last_accepted_after_ms: Math.round(Math.max(...lateMs)),
  };
}

function seenAt(seen: Map<string, Seen>, name: string): Seen {
  const entry = { lastAcceptedMs: 0, accepted: 0, refused: 0 };
  seen.set(name, entry);
  return entry;
}

async function pollUntilDone(
  pool: Pool,
  secret: string,
  seen: Seen,
  state: { readonly isDone: boolean },
): Promise<void> {
  while (!state.isDone) {
    const sentMs = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/v1/releases?limit=1',
      headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': randomAddress() },
    });
    await body.dump();
    if (statusCode === 200) {
      seen.accepted++;
      seen.lastAcceptedMs = sentMs;
    } else if (statusCode === 401) seen.refused++;
    else throw new Error(`a watched credential got ${statusCode}`);
    await wait(pollMs);
  }
}

/** Each request has another address, so that none reaches the limit of an address. */
export const randomAddress = (): string =>
  `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`;
