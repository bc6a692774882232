/**
 * A small model of payouts, written from the table of ADR 0036 and without the code of the service: what an organization
 * can do, what operators, timers and the rail do, and what must be true afterwards.
 */

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const modelReasons = [
  'identity_verification',
  'compliance_review',
  'tax_form_missing',
  'payout_method_changed',
  'manual',
] as const;
export type ModelReason = (typeof modelReasons)[number];

export type RailAnswer = 'accepted' | 'refused' | 'confirmed' | 'bounced' | 'unknown';

/** `payout` counts from the newest: 0 is the last one that was created. */
export type Op =
  | { readonly op: 'create'; readonly amount: number; readonly isReview: boolean }
  | { readonly op: 'wait'; readonly hours: number }
  | { readonly op: 'verify'; readonly isVerified: boolean }
  | { readonly op: 'taxForm'; readonly isValid: boolean }
  | { readonly op: 'changeMethod' }
  | {
      readonly op: 'hold' | 'release' | 'reject';
      readonly payout: number;
      readonly reason: ModelReason;
    }
  | { readonly op: 'cutOff'; readonly payout: number; readonly isReview: boolean }
  | { readonly op: 'checkHolds' | 'cancel' | 'expire'; readonly payout: number }
  | { readonly op: 'rail'; readonly payout: number; readonly answer: RailAnswer };

export type ModelPayout = {
  readonly amount: number;
  status: string;
  /** Reason to the time since when it is open. */
  readonly holds: Map<ModelReason, number>;
  cutOffAt: number;
  expiresAt: number;
  reviewedAt: number | undefined;
};

export type Model = {
  now: number;
  isVerified: boolean;
  isTaxFormValid: boolean;
  methodUsableFrom: number;
  available: number;
  reserved: number;
  cash: number;
  readonly payouts: ModelPayout[];
};

export const newModel = (now: number, available: number): Model => ({
  now,
  isVerified: true,
  isTaxFormValid: true,
  methodUsableFrom: 0,
  available,
  reserved: 0,
  cash: 0,
  payouts: [],
});

/** False: the operation is refused, and changes nothing. */
export function apply(model: Model, op: Op): boolean {
  switch (op.op) {
    case 'create':
      return create(model, op);
    case 'wait':
      model.now += op.hours * hourMs;
      return true;
    case 'verify':
      model.isVerified = op.isVerified;
      return true;
    case 'taxForm':
      model.isTaxFormValid = op.isValid;
      return true;
    case 'changeMethod':
      model.methodUsableFrom = model.now + 72 * hourMs;
      return true;
    default: {
      const payout = model.payouts.at(-1 - op.payout);
      return payout === undefined || applyTo(model, payout, op);
    }
  }
}

type PayoutOp = Extract<Op, { readonly payout: number }>;

const isUnsent = ({ status }: ModelPayout) => status === 'pending' || status === 'on_hold';

function applyTo(model: Model, payout: ModelPayout, op: PayoutOp): boolean {
  switch (op.op) {
    case 'hold':
    case 'release':
    case 'reject':
      return changeHold(model, payout, op);
    case 'cancel':
      if (!isUnsent(payout) || payout.holds.has('compliance_review')) return false;
      cancel(model, payout);
      return true;
    case 'cutOff':
      cutOff(model, payout, op.isReview);
      return true;
    case 'rail':
      settle(model, payout, op.answer);
      return true;
    default:
      if (isUnsent(payout)) wake(model, payout, op.op);
      return true;
  }
}

function changeHold(
  model: Model,
  payout: ModelPayout,
  { op, reason }: Extract<Op, { readonly reason: ModelReason }>,
): boolean {
  const { holds } = payout;
  if (op === 'hold') {
    if (!isUnsent(payout) || holds.has(reason)) return false;
    holds.set(reason, model.now);
    payout.status = 'on_hold';
    return true;
  }
  if (op === 'release') return release(model, payout, reason);
  if (!holds.has(reason)) return false;
  cancel(model, payout);
  return true;
}

function wake(model: Model, payout: ModelPayout, op: 'checkHolds' | 'expire'): void {
  if (op === 'checkHolds') check(model, payout);
  else if (payout.expiresAt <= model.now && !payout.holds.has('compliance_review')) {
    cancel(model, payout);
  }
}

/** The holds that the organization's state demands now. */
const demanded = (model: Model): ModelReason[] => [
  ...(model.isVerified ? [] : ['identity_verification' as const]),
  ...(model.isTaxFormValid ? [] : ['tax_form_missing' as const]),
  ...(model.methodUsableFrom > model.now ? ['payout_method_changed' as const] : []),
];

function create(
  model: Model,
  { amount, isReview }: { amount: number; isReview: boolean },
): boolean {
  if (amount > model.available) return false;
  model.available -= amount;
  model.reserved += amount;
  const reasons = [...demanded(model), ...(isReview ? ['compliance_review' as const] : [])];
  model.payouts.push({
    amount,
    status: reasons.length > 0 ? 'on_hold' : 'pending',
    holds: new Map(reasons.map((reason) => [reason, model.now])),
    cutOffAt: nextNoon(model.now),
    expiresAt: model.now + 30 * dayMs,
    reviewedAt: undefined,
  });
  return true;
}

function cancel(model: Model, payout: ModelPayout): void {
  payout.status = 'canceled';
  payout.holds.clear();
  giveBack(model, payout);
}

function giveBack(model: Model, { amount }: ModelPayout): void {
  model.reserved -= amount;
  model.available += amount;
}

function release(model: Model, payout: ModelPayout, reason: ModelReason): boolean {
  const since = payout.holds.get(reason);
  if (since === undefined) return false;
  payout.holds.delete(reason);
  if (reason === 'compliance_review') {
    payout.expiresAt += model.now - since;
    payout.reviewedAt = model.now;
  }
  check(model, payout);
  return true;
}

const automatic: readonly ModelReason[] = [
  'identity_verification',
  'tax_form_missing',
  'payout_method_changed',
];

function check(model: Model, payout: ModelPayout): void {
  const { holds } = payout;
  const reasons = demanded(model);
  for (const reason of automatic) if (!reasons.includes(reason)) holds.delete(reason);
  for (const reason of reasons) if (!holds.has(reason)) holds.set(reason, model.now);
  if (holds.size > 0) payout.status = 'on_hold';
  else if (payout.status === 'on_hold') {
    payout.status = 'pending';
    payout.cutOffAt = nextNoon(model.now);
  }
}

function cutOff(model: Model, payout: ModelPayout, isReview: boolean): void {
  if (payout.status !== 'pending' || payout.cutOffAt > model.now) return;
  const { reviewedAt, holds } = payout;
  const wasReviewed = reviewedAt !== undefined && model.now - reviewedAt <= 72 * hourMs;
  for (const reason of demanded(model)) holds.set(reason, model.now);
  if (isReview && !wasReviewed) holds.set('compliance_review', model.now);
  payout.status = holds.size > 0 ? 'on_hold' : 'processing';
}

function settle(model: Model, payout: ModelPayout, answer: RailAnswer): void {
  const { amount } = payout;
  const isSent = ['in_transit', 'paid'].includes(payout.status);
  if (answer === 'refused' && payout.status === 'processing') {
    payout.status = 'failed';
    giveBack(model, payout);
  }
  if (answer === 'unknown' || answer === 'refused') return;
  if (payout.status === 'processing') {
    payout.status = 'in_transit';
    model.reserved -= amount;
    model.cash += amount;
  } else if (!isSent) return;
  if (answer === 'confirmed') payout.status = 'paid';
  if (answer === 'bounced') {
    payout.status = 'returned';
    model.cash -= amount;
    model.available += amount;
  }
}

/** The next 12:00 UTC of Monday to Friday, later than `now`. */
function nextNoon(now: number): number {
  let noon = Math.floor(now / dayMs) * dayMs + 12 * hourMs;
  while (noon <= now || [0, 6].includes(new Date(noon).getUTCDay())) noon += dayMs;
  return noon;
}
