/** Operations on payouts in random orders, and a few fixed orders, for `payout-model.test.ts`. */

import fc from 'fast-check';
import { type ModelReason, modelReasons, type Op, type RailAnswer } from './payout-model.ts';

const payout = fc.integer({ min: 0, max: 2 });
const reason = fc.constantFrom(...modelReasons);
const isReview = fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0);

export const anyOp: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('create'),
      amount: fc.constantFrom(50, 100, 200),
      isReview,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constant('wait'), hours: fc.constantFrom(1, 4, 24, 73, 400) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('verify'), isVerified: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('taxForm'), isValid: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('changeMethod') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('hold'),
      payout,
      reason: fc.constantFrom('compliance_review', 'manual'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('release'), payout, reason }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reject'), payout, reason }) },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('cutOff'), payout, isReview }) },
  {
    weight: 5,
    arbitrary: fc.record({ op: fc.constantFrom('checkHolds', 'cancel', 'expire'), payout }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('rail'),
      payout,
      answer: fc.constantFrom('accepted', 'refused', 'confirmed', 'bounced', 'unknown'),
    }),
  },
);

const create: Op = { op: 'create', amount: 50, isReview: false };
const cutOff: Op = { op: 'cutOff', payout: 0, isReview: false };
const rail = (answer: RailAnswer): Op => ({ op: 'rail', payout: 0, answer });
const wait = (hours: number): Op => ({ op: 'wait', hours });
const holdFor = (held: ModelReason): Op => ({ op: 'hold', payout: 0, reason: held });
const releaseOf = (held: ModelReason): Op => ({ op: 'release', payout: 0, reason: held });
const reviewedCutOff: Op = { op: 'cutOff', payout: 0, isReview: true };
/** They visit every state and every reason, so that the random ones are known to have something to hit. */
export const tours: readonly (readonly Op[])[] = [
  [create, { op: 'wait', hours: 4 }, cutOff, rail('accepted'), rail('confirmed'), rail('bounced')],
  [create, { op: 'wait', hours: 4 }, cutOff, rail('refused'), { ...create, isReview: true }],
  [
    { op: 'verify', isVerified: false },
    { op: 'taxForm', isValid: false },
    { op: 'changeMethod' },
    create,
    { op: 'hold', payout: 0, reason: 'manual' },
    { op: 'reject', payout: 0, reason: 'manual' },
  ],
  // A review stops the 30 days.
  [
    create,
    holdFor('compliance_review'),
    wait(400),
    holdFor('manual'),
    releaseOf('compliance_review'),
    wait(400),
    { op: 'expire', payout: 0 },
    wait(400),
    { op: 'expire', payout: 0 },
  ],
  // A released review answers the next cut-off, and none after 72 hours.
  [create, holdFor('compliance_review'), releaseOf('compliance_review'), wait(4), reviewedCutOff],
  [create, holdFor('compliance_review'), releaseOf('compliance_review'), wait(73), reviewedCutOff],
  // A release opens what the organization's state demands.
  [
    create,
    holdFor('manual'),
    { op: 'verify', isVerified: false },
    releaseOf('manual'),
    wait(4),
    cutOff,
  ],
];
