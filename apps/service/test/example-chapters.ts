/** The chapters of the story that examples tell. Each sends request examples and notes what stands for what. */

import assert from 'node:assert/strict';
import {
  artworkExampleId,
  exampleIds,
  otherArtistExampleId,
  otherAudioExampleId,
  otherTrackExampleId,
} from '../src/kernel/example-story.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { putFile } from './asset-files.ts';
import { deliveredAnswer, type DeliveryFixture, rejectedAnswer } from './delivery-fixture.ts';
import type { Story } from './example-fixture.ts';
import { givenHoldings } from './holding-rows.ts';
import { adjust, holdEarnings } from './ledger-fixture.ts';
import { addEarnings } from './payout-fixture.ts';
import { scriptStores } from './scripted-stores.ts';
import { givenStatement } from './statement-fixture.ts';
import type { Reply } from './test-service.ts';

/** Texts of examples that are no ids. */
export const storyTexts = {
  webhookUrl: 'https://partner.example/hooks',
  clientSecret: 'ta_cs_Example000000000000000000000000000000',
  idempotencyKey: '7d1f6a3e-2b4c-4d5e-8f60-718293a4b5c6',
  inboxToken: 'Zk3vQm8sT1xYwB5nC7dR2eF9hJ4gL6aP',
  /** In bytes. A test uploads a smaller file. */
  fileSize: '55566044',
};

export const uploadedText = 'sound';

type Chapter = (story: Story, fixture: DeliveryFixture) => Promise<void>;

const succeed = async (request: Promise<Reply>): Promise<Reply> => {
  const reply = await request;
  assert.ok(reply.status < 300, reply.text);
  return reply;
};

/** Sends a request example, and notes the id of what it created. */
const created =
  (operationId: string, storyId: string): Chapter =>
  async ({ send, real }) => {
    const { json } = await succeed(send(operationId));
    real.set(storyId, json.id);
  };

export const chapters = {
  artist: created('createArtist', exampleIds.art),
  otherArtist: async ({ caller, real }) => {
    const { json } = await succeed(caller.call('POST', '/v1/artists', { name: 'Aurora Diaz' }));
    real.set(otherArtistExampleId, json.id);
  },
  defaultLabel: async ({ caller, real }) => {
    const { json } = await caller.call('GET', '/v1/organization');
    real.set(exampleIds.lbl, json.default_label_id);
  },
  label: created('createLabel', exampleIds.lbl),
  draft: async ({ send, real }) => {
    const { json, headers } = await succeed(send('createRelease'));
    real.set(exampleIds.rel, json.id);
    real.set(exampleIds.req, headers.get('x-request-id') ?? '');
  },
  /** The title is written in capitals, which a fix corrects. */
  finding: async ({ caller, real }) => {
    const path = `/v1/releases/${real.get(exampleIds.rel)}`;
    await succeed(caller.call('PATCH', path, { title: 'NIGHT DRIVE' }));
  },
  files: async ({ caller, real }, { service }) => {
    real.set(exampleIds.ast, await service.givenAsset(caller, 'audio'));
    real.set(otherAudioExampleId, await service.givenAsset(caller, 'audio'));
    real.set(artworkExampleId, await service.givenAsset(caller, 'artwork'));
  },
  upload: async ({ send, real }) => {
    const { json } = await succeed(send('createAsset'));
    real.set(exampleIds.ast, json.id);
    assert.equal(await putFile(json, Buffer.from(uploadedText)), 200);
  },
  tracks: async ({ send, real }) => {
    const { json } = await succeed(send('createTracks'));
    real.set(exampleIds.trk, json.data[0].id);
    real.set(otherTrackExampleId, json.data[1].id);
  },
  artwork: async ({ send }) => {
    await succeed(send('updateRelease'));
  },
  submission: async ({ send, real, caller }, { runUntilIdle }) => {
    const { json } = await succeed(send('submitRelease'));
    real.set(exampleIds.sub, json.submission_id);
    await scriptStores(caller, '*=silent', real.get(exampleIds.rel) ?? '');
    await runUntilIdle();
  },
  delivery: async (story, fixture) => {
    await created('createDelivery', exampleIds.dlv)(story, fixture);
    await fixture.runUntilIdle();
  },
  /** Another organization holds a code of the release. */
  rightsReview: async ({ caller }, { service }) => {
    await service.query(
      `update delivery_stores set waiting_for = 'rights_review', message_state = 'queued' where org_id = $1`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
  },
  /** One store refuses the release. */
  answers: async ({ real, caller }, { answer }) => {
    const id = real.get(exampleIds.dlv) ?? '';
    const { aurora, beatlane } = { aurora: deliveredAnswer, beatlane: rejectedAnswer };
    await answer({ id }, { aurora, beatlane, cascade: deliveredAnswer }, caller);
  },
  correction: async ({ caller, real }) => {
    const path = `/v1/releases/${real.get(exampleIds.rel)}`;
    await succeed(caller.call('PATCH', path, { catalog_number: 'NL042B' }));
  },
  job: async (story, fixture) => {
    await created('createDeliveryJob', exampleIds.job)(story, fixture);
    await fixture.runUntilIdle();
  },
  earnings: ({ caller }, { service }) => addEarnings(service, caller, '250.75'),
  payout: created('createPayout', exampleIds.pay),
  webhook: created('createWebhook', exampleIds.wh),
  /** Events are numbered and sent. */
  events: async ({ caller, real }, { service, runUntilIdle }) => {
    await service.sequenceEvents();
    await runUntilIdle();
    const { json } = await caller.call('GET', '/v1/events');
    const completed = json.data.find(({ type }: { type: string }) => type === 'delivery.completed');
    real.set(exampleIds.evt, (completed ?? json.data[0]).id);
  },
  /** An operator holds earnings and corrects the balance. */
  money: async ({ caller, real }, { service }) => {
    const hold = await holdEarnings(service, caller, '12.3', {
      store: 'aurora',
      isrc: 'QZ-NLR-25-00004',
      'period-start': '2026-09-01',
      'period-end': '2026-09-30',
      evidence: '41,000 plays by 12 listeners.',
      'review-by': '2026-12-15',
    });
    real.set(exampleIds.hld, hold.id);
    const fields = { type: 'correction', fee: '24', 'refers-to': hold.id };
    real.set(exampleIds.adj, (await adjust(service, caller, '160', fields)).id);
  },
  statement: async ({ caller, real }, { service }) => {
    real.set(exampleIds.stm, (await givenStatement(service, caller)).id);
  },
  requests: async (_story, { service }) => service.flushRequests(),
  oauthClient: async ({ send, real }) => {
    const { json } = await succeed(send('createOAuthClient'));
    real.set(exampleIds.oac, json.id);
    real.set(exampleIds.ocs, json.secrets[0].id);
    real.set(storyTexts.clientSecret, json.secret);
  },
  otherSecret: async ({ send }) => {
    await succeed(send('addOAuthSecret'));
  },
  apiKey: created('createApiKey', exampleIds.key),
  payoutMethod: created('createPayoutMethod', exampleIds.pm),
  /** Another credential requests the method; that of the story is old enough to approve it. */
  requestedMethod: async ({ caller, real }, { service }) => {
    const { orgId } = caller;
    await service.admin('payouts', 'dual-control', '--org', orgId, '--switch', 'on');
    await service.query(
      `update api_keys set created_at = created_at - interval '3 days' where org_id = $1`,
      [toUuid(orgId as Id<'org'>)],
    );
    const { secret } = await service.admin('key', 'create', '--org', orgId);
    const example = service.api.operations.find(({ id }) => id === 'createPayoutMethod')?.examples;
    const { json } = await succeed(
      service.request(secret, 'POST', '/v1/payout_methods', example?.body),
    );
    real.set(exampleIds.pm, json.id);
  },
  taxProfile: async ({ send }) => {
    await succeed(send('updateTaxProfile'));
  },
  scenario: created('createScenario', exampleIds.scn),
  held: async ({ caller }, { service }) => {
    await givenHoldings(service, 'beatlane', caller, 'QZEXA2600001', 'QZEXA2600002');
  },
  report: async (story, fixture) => {
    await created('createSandboxReport', exampleIds.rpt)(story, fixture);
    await fixture.runUntilIdle();
  },
  manualClock: async ({ send }) => {
    await succeed(send('setSandboxClockMode'));
  },
  inbox: async ({ caller, real }) => {
    const { json } = await caller.call('GET', '/v1/sandbox/inbox');
    const { url } = json;
    real.set(storyTexts.inboxToken, url.slice(url.lastIndexOf('/') + 1));
    await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
  },
} satisfies Readonly<Record<string, Chapter>>;

export type ChapterName = keyof typeof chapters;
