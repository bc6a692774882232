/**
 * Fictional stores that answer within a second or two, in few words: `aurora=reject cascade=flag *=silent`. The
 * first that fits counts, `*` meaning all of them; whoever is not named confirms.
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

/** What it does with a release or an update, and with a takedown. */
const behaviours: Readonly<Record<string, readonly [send: object, takedown: object]>> = {
  confirm: [confirm, confirm],
  reject: [metadataRejection, confirm],
  flag: [rightsFlag, confirm],
  flag_then_confirm: [{ ...rightsFlag, resolves: 'confirm', resolves_after: '1s' }, confirm],
  silent: [noAnswer, noAnswer],
  keep: [confirm, takedownRefusal],
};

/** Of one release, or of all. */
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
  // Of scenarios the newest that fits counts.
  const pairs = [...script.split(/\s+/).filter((pair) => pair !== ''), '*=confirm'].toReversed();
  for (const pair of pairs) {
    const [store = '', behaviour = ''] = pair.split('=');
    const [send, takedown] = behaviours[behaviour] ?? assert.fail(`no such behaviour: ${pair}`);
    const storeId = store === '*' ? null : store;
    await create(storeId, null, send);
    if (takedown !== send) await create(storeId, 'takedown', takedown);
  }
}
