/** Random changes for the proof `audit`: by requests, by the operator's commands, and by the work that both cause. */

import { setTimeout as wait } from 'node:timers/promises';
import { completeDraft, draft, type OrgClient, type TestService } from '../test-service.ts';
import type { ClientResponse } from './client.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Random } from './random.ts';

export type Partner = OrgClient & {
  readonly artwork: string;
  readonly audio: string;
  /** What this partner has made and not removed. */
  readonly artists: string[];
  readonly drafts: string[];
};

export type Counts = {
  /** Requests that were answered 2xx, some of them only after a lost answer. */
  accepted: number;
  refused: number;
  /** Commands of the operator that took effect. */
  commands: number;
  submissions: number;
};

const databaseRetryMs = 200;

export function createMutations(
  service: TestService,
  { send }: Pick<KillableProcesses, 'send'>,
  random: Random,
  counts: Counts,
) {
  let last = 0;
  const request = async (
    { key }: Partner,
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<ClientResponse> => {
    const reply = await send({ method, path, key, ...(body !== undefined && { body }) });
    if (reply.status < 300) counts.accepted++;
    else counts.refused++;
    return reply;
  };
  const idOf = ({ status, text }: ClientResponse): string | undefined =>
    status < 300 ? (JSON.parse(text) as { id: string }).id : undefined;
  const addTo = (list: string[], reply: ClientResponse): void => {
    const id = idOf(reply);
    if (id !== undefined) list.push(id);
  };

  const createArtist = async (partner: Partner) =>
    addTo(partner.artists, await request(partner, 'POST', '/v1/artists', { name: `A${++last}` }));
  const createDraft = async (partner: Partner) =>
    addTo(partner.drafts, await request(partner, 'POST', '/v1/releases', draft()));

  /** A DELETE has no key. The draft is this loop's alone: a 404 after a lost answer means that it was accepted. */
  const deleteDraft = async (partner: Partner) => {
    const id = partner.drafts.pop();
    if (id === undefined) return createDraft(partner);
    const { status } = await request(partner, 'DELETE', `/v1/releases/${id}`);
    if (status !== 404) return;
    counts.refused--;
    counts.accepted++;
  };

  /** Five requests, a review, and the dispatch of the delivery. */
  const deliver = async (partner: Partner) => {
    const created = await request(partner, 'POST', '/v1/releases', completeDraft());
    const id = idOf(created);
    if (id === undefined) return;
    await request(partner, 'PATCH', `/v1/releases/${id}`, { artwork_asset_id: partner.artwork });
    await request(partner, 'POST', '/v1/tracks', {
      release_id: id,
      title: 'Night Drive',
      isrc: `QZAUD26${String(++last % 100_000).padStart(5, '0')}`,
      audio_asset_id: partner.audio,
    });
    const { status } = await request(partner, 'POST', `/v1/releases/${id}/submit`, {});
    if (status < 300) counts.submissions++;
    await request(partner, 'POST', '/v1/deliveries', {
      release_id: id,
      stores: ['aurora', 'beatlane'],
      territory_codes: ['WORLDWIDE'],
    });
  };

  /** If the answer of the database is lost, its own row says whether the command took effect. */
  const createKey = async ({ orgId }: Partner) => {
    const name = `proof-${++last}`;
    for (;;) {
      try {
        await service.admin('key', 'create', '--org', orgId, '--name', name);
        break;
      } catch {
        if (await existsKey(service, name)) break;
      }
    }
    counts.commands++;
  };

  const kinds: readonly ((partner: Partner) => Promise<void>)[] = [
    createArtist,
    createArtist,
    async (partner) => {
      const [id] = partner.artists;
      if (id === undefined) return createArtist(partner);
      await request(partner, 'PATCH', `/v1/artists/${id}`, { name: `B${++last}` });
    },
    createDraft,
    async (partner) => {
      const [id] = partner.drafts;
      if (id === undefined) return createDraft(partner);
      await request(partner, 'PATCH', `/v1/releases/${id}`, { title: `Title ${++last}` });
    },
    // Refused: an unknown label leaves no row.
    async (partner) =>
      void (await request(partner, 'POST', '/v1/releases', draft({ label_id: 'lbl_none' }))),
    deleteDraft,
    createKey,
    deliver,
  ];
  return (partner: Partner): Promise<void> => random.pick(kinds)(partner);
}

async function existsKey(service: TestService, name: string): Promise<boolean> {
  for (;;) {
    try {
      return (await service.query('select 1 from api_keys where name = $1', [name])).length > 0;
    } catch {
      await wait(databaseRetryMs);
    }
  }
}
