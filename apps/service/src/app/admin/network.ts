/** The network's stores. */

import { Problem } from '../../kernel/problem.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { seedFictionalStores } from '../../network/commands/seed-stores.ts';
import { setStoreStatus } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Commands, type Flags, type CommandResult, required } from './command.ts';

export const networkCommands: Commands = {
  'stores seed': {
    orgOf: () => systemOrgId,
    run: (tx, _flags, { environment }) => {
      if (environment !== 'sandbox') {
        throw new Problem('invalid_state', 'Fictional stores exist only in the sandbox.');
      }
      const stores = seedFictionalStores(tx).map(({ storeId }) => storeId);
      return { auditedId: 'stores', shown: { stores } };
    },
  },
  'stores pause': { orgOf: () => systemOrgId, run: (tx, flags) => setStatus(tx, flags, 'paused') },
  // Workers find the paused deliveries within seconds (`dispatchResumedStores`).
  'stores resume': { orgOf: () => systemOrgId, run: (tx, flags) => setStatus(tx, flags, 'active') },
};

async function setStatus(
  tx: Tx,
  flags: Flags,
  status: 'active' | 'paused',
): Promise<CommandResult> {
  const storeId = required(flags, 'store');
  if (!(await setStoreStatus(tx, storeId, status))) {
    throw new Problem(
      'resource_not_found',
      `No store has the store_id ${storeId}. GET /v1/stores lists the stores.`,
    );
  }
  return { auditedId: storeId, shown: { store_id: storeId, status } };
}
