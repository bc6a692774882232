/** Runs one command for one organization: a transaction with its audit row, which a dry run rolls back. */

import { userInfo } from 'node:os';
import type { OrgId } from '../../kernel/ids.ts';
import { appendAudit, type AuditEntry } from '../../platform/db/audit.ts';
import type { Database, Tx, TxControl } from '../../platform/db/database.ts';
import type { AdminConfig } from '../config/admin.ts';
import type { CalledCommand, CommandResult, PreparedCommand } from './command.ts';
import { checkConstraints, countWrittenRows, rowsSince } from './written-rows.ts';

export type CommandRun = {
  readonly name: string;
  readonly called: CalledCommand;
  readonly orgId: OrgId;
};

/** After a lock conflict: a command for every organization must not end halfway. */
const attemptsMax = 5;

export async function runForOrganization(
  db: Database,
  config: AdminConfig,
  { name, called, orgId }: CommandRun,
): Promise<CommandResult | undefined> {
  const read = <T>(ask: Parameters<typeof db.readTogether<T>>[1]) => db.readTogether(orgId, ask);
  const prepared = await called.prepare({ config, orgId, read });
  const transact = createTransactions(db, orgId);
  const action = name.replace(' ', '.');
  const { result, changes } = called.isDryRun
    ? await transact((tx, control) => tryOut(tx, control, prepared, action))
    : { result: await execute(transact, prepared, action) };
  const answer = (await prepared.finish?.()) ?? result?.shown;
  if (answer === undefined) return undefined;
  const shown = changes === undefined ? answer : { dry_run: true, answer, changes };
  return { auditedId: orgId, ...result, shown };
}

type Transact = <T>(work: (tx: Tx, control: TxControl) => Promise<T>) => Promise<T>;

function createTransactions(db: Database, orgId: OrgId): Transact {
  const owner = { orgId, actor: { type: 'operator', id: userInfo().username } } as const;
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transact(owner, work);
      } catch (error) {
        if (attempt === attemptsMax || !isLockConflict(error)) throw error;
      }
    }
  };
}

async function execute(
  transact: Transact,
  prepared: PreparedCommand,
  action: string,
): Promise<CommandResult | undefined> {
  const { commitFirst } = prepared;
  if (commitFirst !== undefined) await transact(commitFirst);
  return transact((tx) => runAudited(tx, prepared, action));
}

type TriedOut = { readonly result: CommandResult | undefined; readonly changes?: object };

/** Runs the command, with what it otherwise commits first in the same transaction, and rolls it back. */
async function tryOut(
  tx: Tx,
  { undo }: TxControl,
  prepared: PreparedCommand,
  action: string,
): Promise<TriedOut> {
  const rowsBefore = await countWrittenRows(tx);
  await prepared.commitFirst?.(tx);
  const result = await runAudited(tx, prepared, action);
  await checkConstraints(tx);
  const rows = rowsSince(rowsBefore, await countWrittenRows(tx));
  await undo();
  const audit = result === undefined ? [] : auditOf(result).map(presentEntry);
  return { result, changes: { audit, rows } };
}

async function runAudited(
  tx: Tx,
  { run }: PreparedCommand,
  action: string,
): Promise<CommandResult | undefined> {
  const result = await run(tx);
  if (result === undefined) return undefined;
  for (const entry of auditOf(result)) appendAudit(tx, { action, ...entry });
  return result;
}

type AuditedChange = Omit<AuditEntry, 'action'>;

const auditOf = (result: CommandResult): readonly AuditedChange[] => {
  const { auditedId, shown, before, after = shown, alsoChanged = [] } = result;
  return [{ auditedId, before, after }, ...alsoChanged];
};

const presentEntry = ({ auditedId, before, after }: AuditedChange) => ({
  audited_id: auditedId,
  before: before ?? null,
  after: after ?? null,
});

/** A deadlock or a lock timeout. A unique violation is not one: a retry would violate it again. */
const isLockConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '55P03');
