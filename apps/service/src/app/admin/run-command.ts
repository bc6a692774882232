/** Runs one command for one organization: a transaction with its audit row. */

import { userInfo } from 'node:os';
import type { OrgId } from '../../kernel/ids.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';
import type { Command, CommandResult, Flags, RunInTransaction } from './command.ts';

export type CommandRun = {
  readonly name: string;
  readonly command: Command;
  readonly flags: Flags;
  readonly orgId: OrgId;
};

/** After a lock conflict: a command for every organization must not end halfway. */
const attemptsMax = 5;

export async function runForOrganization(
  db: Database,
  config: AdminConfig,
  commandRun: CommandRun,
): Promise<CommandResult | undefined> {
  const { command, flags, orgId } = commandRun;
  if ('run' in command) return runInTransaction(db, config, commandRun, command.run);
  const read = <T>(ask: Parameters<typeof db.readTogether<T>>[1]) => db.readTogether(orgId, ask);
  const { run, finish } = await command.prepare(flags, { config, orgId, read });
  await runInTransaction(db, config, commandRun, run);
  return { auditedId: orgId, shown: await finish() };
}

async function runInTransaction(
  db: Database,
  config: AdminConfig,
  { name, command, flags, orgId }: CommandRun,
  run: RunInTransaction,
): Promise<CommandResult | undefined> {
  const owner = { orgId, actor: { type: 'operator', id: userInfo().username } } as const;
  const transact = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transact(owner, work);
      } catch (error) {
        if (attempt === attemptsMax || !isLockConflict(error)) throw error;
      }
    }
  };
  const { commitFirst } = command;
  if (commitFirst !== undefined) await transact((tx) => commitFirst(tx, flags));
  return transact(async (tx) => {
    const outcome = await run(tx, flags, config);
    if (outcome === undefined) return undefined;
    const { auditedId, shown, before, after = shown, alsoChanged = [] } = outcome;
    const action = name.replace(' ', '.');
    appendAudit(tx, { action, auditedId, before, after });
    for (const entry of alsoChanged) appendAudit(tx, { action, ...entry });
    return outcome;
  });
}

/** A deadlock or a lock timeout. A unique violation is not one: a retry would violate it again. */
const isLockConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');
