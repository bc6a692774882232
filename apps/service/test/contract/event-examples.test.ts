/** The example of each event type is a true one (spec §6, contract §3, §6): it obeys the rule that real events obey. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import { storedTypes, receivedEvents, webhookDescriptions } from '../../src/app/event-catalogue.ts';
import { aggregateStatus, countStoresByStatus } from '../../src/delivery/domain/aggregate.ts';
import { datedExample } from '../../src/kernel/example-story.ts';
import { type Json, monday, openDeliveryFixture } from '../delivery-fixture.ts';
import { sampleEvents } from '../event-samples.ts';
import { shapeDifferences } from '../same-shape.ts';

/** Contract §3. */
const releaseMoves: Readonly<Record<string, readonly string[]>> = {
  draft: ['submitted'],
  submitted: ['delivered', 'rejected'],
  rejected: ['submitted', 'delivered'],
  delivered: [],
};

/** Contract §3; the creation is a change from null. */
const payoutMoves: Readonly<Record<string, readonly string[]>> = {
  '': ['pending'],
  pending: ['on_hold', 'processing', 'canceled'],
  on_hold: ['pending', 'canceled'],
  processing: ['in_transit', 'failed'],
  in_transit: ['paid', 'returned'],
  paid: ['returned'],
};

const hasBothOrNeither = (store: Json) =>
  assert.equal(store.rejection_code === null, store.rejection_reason === null);

const microsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** What must be true of an event of each type, besides its schema. */
const rules: Readonly<Record<string, (event: Json) => void>> = {
  ping: ({ sequence, data }) => {
    assert.equal(sequence, 0);
    assert.match(data.url, /^https?:/);
  },
  'release.created': ({ data }) => {
    assert.deepEqual([data.status, data.revision, data.submission], ['draft', 1, null]);
  },
  'release.status.changed': ({ data }) => {
    assert.ok(releaseMoves[data.previous_status]?.includes(data.status), JSON.stringify(data));
    assert.deepEqual([data.release.id, data.release.status], [data.release_id, data.status]);
    assert.ok(data.release.track_count > 0 && data.release.artwork_asset_id !== null);
  },
  'asset.ready': ({ data }) => {
    assert.equal(data.status, 'ready');
    assert.ok(data.technical !== null && data.sha256 !== null);
    assert.deepEqual([data.failure_code, data.failure_reason], [null, null]);
  },
  'asset.failed': ({ data }) => {
    assert.deepEqual([data.status, data.technical], ['failed', null]);
    assert.ok(data.failure_code !== null && data.failure_reason !== null);
  },
  'delivery.completed': ({ data }) => {
    assert.ok(['delivered', 'rejected', 'action_required'].includes(data.status));
    assert.equal(data.status, aggregateStatus(countStoresByStatus(data.stores)));
    assert.notEqual(data.completed_at, null);
    data.stores.forEach(hasBothOrNeither);
  },
  'delivery.taken_down': ({ data }) => {
    assert.equal(data.status, aggregateStatus(countStoresByStatus(data.stores)));
    assert.ok(data.stores.every(({ status }: Json) => status === 'taken_down'));
    assert.ok(data.stores.every((store: Json) => store.taken_down_by !== null));
  },
  'delivery.store.updated': ({ data }) => {
    assert.notEqual(data.previous_status, data.store.status);
    hasBothOrNeither(data.store);
  },
  'delivery.store.overdue': ({ created_at, data }) => {
    assert.ok(['in_progress', 'takedown_requested'].includes(data.store.status));
    assert.ok(data.store.expected_by <= created_at);
  },
  'payout.status.changed': ({ data: { previous_status, payout } }) => {
    assert.notEqual(previous_status, payout.status);
    assert.ok(payoutMoves[previous_status ?? '']?.includes(payout.status), payout.status);
    assert.equal(payout.holds.length > 0, payout.status === 'on_hold');
    assert.equal(payout.fx_rate === null, payout.currency === payout.destination.currency);
  },
  'payout_method.changed': ({ data }) => {
    assert.equal(data.usable_from === null, data.status === 'pending_approval');
    assert.equal(data.last_four.length, 4);
    assert.ok(!('iban' in data) && !('account_number' in data));
  },
  'statement.published': ({ created_at, data }) => {
    const { opening_balance, net_amount, adjustment_amount, payout_amount } = data;
    const closing =
      microsOf(opening_balance) +
      microsOf(net_amount) +
      microsOf(adjustment_amount) -
      microsOf(payout_amount);
    assert.equal(microsOf(data.closing_balance), closing);
    const taxes = microsOf(data.source_tax_amount) + microsOf(data.payee_tax_amount);
    assert.equal(microsOf(data.tax_amount), taxes);
    const net = microsOf(data.gross_amount) - microsOf(data.fee_amount) - taxes;
    assert.equal(microsOf(net_amount), net);
    assert.ok(data.published_at <= created_at);
  },
  'adjustment.created': ({ created_at, data }) => {
    const { gross_amount, fee_amount, tax_amount, amount } = data;
    const net = microsOf(gross_amount) - microsOf(fee_amount) - microsOf(tax_amount);
    assert.equal(microsOf(amount), net);
    assert.ok(data.created_at <= created_at);
  },
  'earnings.held': ({ data }) => {
    assert.deepEqual([data.status, data.created_at], ['held', data.updated_at]);
    assert.ok(data.period_start <= data.period_end);
  },
  'earnings.released': ({ data }) => assert.equal(data.status, 'released'),
  'earnings.forfeited': ({ data }) => assert.equal(data.status, 'forfeited'),
  'webhook.disabled': ({ data }) => assert.equal(data.status, 'disabled'),
  'organization.verification.changed': ({ data: { verification } }) => {
    if (verification.status === 'verified') assert.deepEqual(verification.requirements, []);
  },
  'api.changelog.published': ({ data }) => {
    assert.ok(data.url.endsWith(`#${data.date}`));
    for (const { kind, sunset } of data.changes) {
      if (kind !== 'deprecated') continue;
      const noticeMs = Date.parse(sunset) - Date.parse(data.date);
      assert.ok(noticeMs >= 90 * 86_400_000, 'spec §9.3: at least 90 days');
    }
  },
};

const nothingLater = ({ created_at, data }: Json) =>
  assert.ok((data.updated_at ?? data.store?.updated_at ?? created_at) <= created_at);

describe('contract §6: the example of every event type', () => {
  let fixture: Awaited<ReturnType<typeof openDeliveryFixture>>;
  let samples: ReadonlyMap<string, Json>;
  before(async () => {
    fixture = await openDeliveryFixture();
    samples = await sampleEvents(fixture);
  });
  after(() => fixture.close());

  test('there is a rule for every type', () => {
    const types = ['ping', ...storedTypes.map(({ type }) => type)];
    assert.deepEqual(Object.keys(rules).toSorted(), types.toSorted());
  });

  for (const { type, schema, example } of webhookDescriptions) {
    const dated = datedExample(example, new Date(monday)) as Json;
    test(`${type}: fits its schema and obeys its rule`, () => {
      assert.deepEqual(Compile(schema).Errors(dated), []);
      assert.equal(dated.type, type);
      nothingLater(dated);
      rules[type]?.(dated);
    });

    test(`${type}: has the fields and types of a real one, which obeys the same rule`, () => {
      const real = samples.get(type);
      assert.ok(real !== undefined, `the test made no ${type}`);
      assert.deepEqual(Compile(receivedEvents.schemaOf(type)).Errors(real), []);
      rules[type]?.(real);
      assert.deepEqual(shapeDifferences(dated, real), []);
    });
  }
});
