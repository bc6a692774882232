import type { PreflightInput } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

const field = 'pre_order_date';
const source = 'guides of several stores';
const prevents = 'commercial_release_date_invalid';

const storeIdsWithPreOrder = ({ stores }: PreflightInput, preOrder: boolean): string[] =>
  stores.filter((store) => store.preOrder === preOrder).map(({ storeId }) => storeId);

function checkSupport(input: PreflightInput): RawFinding[] {
  const { preOrderDate } = input.release;
  const stores = storeIdsWithPreOrder(input, false);
  if (preOrderDate === null || stores.length === 0) return [];
  const message =
    'Some stores take no pre-orders, so pre_order_date is not sent to them. You can ignore this, or remove the date.';
  return [{ field, message, measured: preOrderDate, limit: null, stores }];
}

function checkPast(input: PreflightInput): RawFinding[] {
  const { preOrderDate, releaseDate } = input.release;
  const { today } = input;
  const stores = storeIdsWithPreOrder(input, true);
  // After the release date there are no pre-orders any more, and `release_date_past` reports it.
  if (preOrderDate === null || preOrderDate > today || releaseDate <= today) return [];
  if (stores.length === 0) return [];
  const message =
    'pre_order_date has passed, so stores take pre-orders as soon as they have the release. Send a later date, or remove it.';
  return [{ field, message, measured: preOrderDate, limit: today, stores }];
}

export const preOrderRules = {
  pre_order_of_store: {
    description:
      'pre_order_date has an effect only at stores that take pre-orders; it is not sent to the others.',
    severity: 'warning',
    readsFields: ['preOrderDate'],
    source,
    prevents,
    release: checkSupport,
  } satisfies Rule,
  pre_order_past: {
    description:
      'pre_order_date should be after today; with a date that has passed, stores take pre-orders at once.',
    severity: 'warning',
    readsFields: ['preOrderDate', 'releaseDate'],
    source,
    prevents,
    release: checkPast,
  } satisfies Rule,
};
