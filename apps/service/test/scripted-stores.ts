/**
 * Creates sandbox scenarios from a short script such as `aurora=reject cascade=flag *=silent`, so that fictional stores
 * answer within a second or two. The first pair that matches a store applies, `*` matches every store, and a store
 * without a pair confirms in its own way: jangala sends a receipt, emberline says nothing (catalogue §1.3). For tests,
 * proofs and benches of deliveries.
 */

import assert from 'node:assert/strict';
import type { OrgClient } from './test-service.ts';

const afterOneSecond = { after: '1s' };
const metadataRejection = {
  action: 'reject',
  code: 'metadata_error',
  reason: 'The title does not match the cover.',
  ...afterOneSecond,
};
const rightsFlag = {
  action: 'flag',
  code: 'rights_conflict',
  reason: 'Another party claims a recording of this release. Confirm your rights.',
  ...afterOneSecond,
};
const takedownRefusal = {
  action: 'reject',
  code: 'takedown_refused',
  reason: 'The release is part of a running promotion.',
  ...afterOneSecond,
};
const confirm = { action: 'confirm', ...afterOneSecond };
const noAnswer = { action: 'lose' };

/** How a store reacts to a release or an update, and to a takedown. */
const behaviours: Readonly<Record<string, readonly [send: object, takedown: object]>> = {
  confirm: [confirm, confirm],
  reject: [metadataRejection, confirm],
  flag: [rightsFlag, confirm],
  flag_then_confirm: [{ ...rightsFlag, resolves: 'confirm', resolves_after: '1s' }, confirm],
  silent: [noAnswer, noAnswer],
  keep: [confirm, takedownRefusal],
};

/** The script applies to one release, or to all releases of the organization. */
export async function scriptStores(
  caller: OrgClient,
  script: string,
  releaseId: string | null = null,
): Promise<void> {
  const create = async (store_id: string | null, message: string | null, step: object) => {
    const { status, text } = await caller.call('POST', '/v1/sandbox/scenarios', {
      store_id,
      release_id: releaseId,
      message,
      steps: [step],
      repeats: true,
    });
    assert.equal(status, 201, text);
  };
  // The newest scenario that matches applies, so the pairs are created in reverse order.
  const pairs = [...script.split(/\s+/).filter((pair) => pair !== ''), '*=confirm'].toReversed();
  for (const pair of pairs) {
    const [store = '', behaviour = ''] = pair.split('=');
    const [send, takedown] = behaviours[behaviour] ?? assert.fail(`no such behaviour: ${pair}`);
    const storeId = store === '*' ? null : store;
    await create(storeId, null, send);
    if (takedown !== send) await create(storeId, 'takedown', takedown);
  }
}
