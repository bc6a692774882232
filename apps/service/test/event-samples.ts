/** Makes the service send one event of every type, as partners receive it. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { workflowOwner } from '../src/kernel/actor.ts';
import type { OrgId } from '../src/kernel/ids.ts';
import { toMicros } from '../src/kernel/money.ts';
import { closeStatement } from '../src/royalties/commands/close-statement.ts';
import { coverJpeg, toneWav, uploadAsset } from './asset-files.ts';
import {
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  rejectedAnswer,
  removedAnswer,
} from './delivery-fixture.ts';
import { adjust, holdEarnings, settleEarnings } from './ledger-fixture.ts';
import { makePayable } from './payout-fixture.ts';
import { openReceiver } from './receiver.ts';
import { completeDraft, type OrgClient, type TestService } from './test-service.ts';

const dayMs = 86_400_000;

/** The newest event of each type, by type. The clock of the fixture is weeks later afterwards. */
export async function sampleEvents(fixture: DeliveryFixture): Promise<ReadonlyMap<string, Json>> {
  const { service, runUntilIdle } = fixture;
  const caller = await service.givenOrganization({ tier: 'enterprise' });
  const receiver = await openReceiver();
  const failing = await openReceiver();
  try {
    const body = { event_type: '*' };
    await ask(caller, '/v1/webhooks', { ...body, url: receiver.url });
    await ask(caller, '/v1/webhooks', { ...body, url: failing.url });
    failing.respondWith(() => ({ status: 503 }));
    await makeEvents(fixture, caller);
    await service.sequenceEvents();
    await runUntilIdle();
    await fixture.advanceTime(6 * dayMs);
    await ask(caller, '/v1/sandbox/verification', { status: 'pending', requirements: [] });
    await service.sequenceEvents();
    await runUntilIdle();
    await service.sequenceEvents();
    await runUntilIdle();
    return new Map(receiver.all.map(({ json }) => [json.type, json]));
  } finally {
    await Promise.all([receiver.close(), failing.close()]);
  }
}

async function ask({ call }: OrgClient, path: string, body: object): Promise<Json> {
  const { status, json, text } = await call('POST', path, body);
  assert.ok(status < 300, `${path}: ${text}`);
  return json;
}

async function makeEvents(fixture: DeliveryFixture, caller: OrgClient): Promise<void> {
  const { runUntilIdle, service, answer } = fixture;
  await uploadAsset(caller, toneWav());
  await uploadAsset(caller, { ...(await coverJpeg(100)), bytes: Buffer.from('not an image') });
  await runUntilIdle();
  await ask(caller, '/v1/payout_methods', {
    type: 'bank_account',
    country: 'DE',
    currency: 'EUR',
    account_holder: 'Northern Lights',
    iban: 'DE89370400440532013000',
  });
  await makePayable(service, caller);
  await ask(caller, '/v1/payouts', { amount: '120.50', currency: 'EUR' });
  await service.admin('changelog', 'publish', '--date', '2024-04-15');
  await makeMoneyEvents(fixture, caller);
  const artist = await ask(caller, '/v1/artists', { name: 'Aurora Díaz' });
  const [credit] = completeDraft({}).artists;
  const release = {
    artists: [{ ...credit, artist_id: artist.id }],
    metadata: { campaign: 'winter' },
  };
  const stores = ['aurora', 'beatlane', 'cascade'];
  const delivery = await fixture.givenDelivery({ stores, release, caller });
  const { aurora, beatlane } = { aurora: deliveredAnswer, beatlane: rejectedAnswer };
  await answer(delivery, { aurora, beatlane, cascade: deliveredAnswer }, caller);
  await ask(caller, `/v1/deliveries/${delivery.id}/takedown`, {});
  await runUntilIdle();
  // The stores do not confirm the takedown in time.
  await fixture.advanceTime(20 * dayMs);
  await answer(delivery, { aurora: removedAnswer, cascade: removedAnswer }, caller);
}

async function makeMoneyEvents({ service }: DeliveryFixture, caller: OrgClient): Promise<void> {
  const fields = {
    reason: 'artificial_streaming',
    store: 'aurora',
    isrc: 'QZ-NLR-25-00004',
    'period-start': '2026-09-01',
    'period-end': '2026-09-30',
    evidence: '41,000 plays by 12 listeners.',
    'review-by': '2026-12-15',
  };
  await publishStatement(service, caller);
  for (const verb of ['release', 'forfeit'] as const) {
    const { id } = await holdEarnings(service, caller, '12.3', fields);
    await settleEarnings(service, caller, verb, id);
    // The newest event of its type: a correction, not the penalty of the forfeited earnings.
    await adjust(service, caller, '160', { type: 'correction', fee: '24', 'refers-to': id });
  }
}

/** What a run does when it closes, without its calculation. */
async function publishStatement(service: TestService, { orgId }: OrgClient): Promise<void> {
  const amount = toMicros(100_000_000n);
  const none = toMicros(0n);
  const sums = ['1', '100.000000', '0.000000', '0.000000', '0.000000', '100.000000'];
  const owner = workflowOwner(orgId as OrgId, 'test');
  await service.workerDb.transact(owner, async (tx) => {
    await closeStatement(tx, {
      runId: tx.newId('run'),
      month: '2026-10',
      statement: {
        statementId: tx.newId('stm'),
        partnerOrgId: tx.orgId,
        currency: 'USD',
        grossAmount: amount,
        feeAmount: none,
        sourceTaxAmount: none,
        payeeTaxAmount: none,
        netAmount: amount,
        lineItemCount: 1,
        artifacts: [],
        adjustments: [],
        holds: [],
        isAnnounced: false,
        isClosed: false,
      },
      totals: {
        releases: [['aurora', 'DE', randomUUID(), '2026-10', ...sums]],
        markets: [['aurora', 'DE', '2026-10', 'download', '2026-10', ...sums]],
        tracks: [[randomUUID(), 'QZABC2600001', randomUUID(), '2026-10', ...sums]],
      },
    });
  });
}
