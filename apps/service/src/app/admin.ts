/** The operator's command line. Every command is one transaction with its audit row. */

import { organizationsWithKeys } from '../identity/store/credentials.ts';
import { systemClock } from '../kernel/clock.ts';
import type { OrgId } from '../kernel/ids.ts';
import { didYouMean } from '../kernel/near-name.ts';
import { Problem } from '../kernel/problem.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { catalogCommands } from './admin/catalog.ts';
import { codeCommands } from './admin/codes.ts';
import type { Commands } from './admin/command.ts';
import { deliveryCommands } from './admin/deliveries.ts';
import { explainConstraint } from './admin/explain-constraint.ts';
import { UsageError } from './admin/flag.ts';
import { fxRateSetCommands } from './admin/fx-rate-sets.ts';
import { identityCommands } from './admin/identity.ts';
import { keyCommands } from './admin/keys.ts';
import { moneyCommands } from './admin/money.ts';
import { networkCommands } from './admin/network.ts';
import { oauthCommands } from './admin/oauth.ts';
import { payoutSettingCommands } from './admin/payout-settings.ts';
import { payoutCommands } from './admin/payouts.ts';
import { remittanceCommands } from './admin/remittances.ts';
import { reportCommands } from './admin/reports.ts';
import { rightsCommands } from './admin/rights.ts';
import { royaltyRuleCommands } from './admin/royalty-rules.ts';
import { runForOrganization } from './admin/run-command.ts';
import { runEverywhere } from './admin/run-everywhere.ts';
import { runCommands } from './admin/runs.ts';
import { storeConnectionCommands } from './admin/store-connections.ts';
import { usageOf } from './admin/usage.ts';
import { webhookCommands } from './admin/webhooks.ts';
import type { AdminConfig } from './config/admin.ts';
import { refuseOtherDatabase } from './environment-guard.ts';

const newId = createIds(systemClock);

/** In the order in which the manual lists them. */
export const adminCommands: Commands = {
  ...identityCommands(newId),
  ...codeCommands,
  ...keyCommands,
  ...oauthCommands,
  ...catalogCommands,
  ...networkCommands,
  ...storeConnectionCommands,
  ...deliveryCommands,
  ...rightsCommands,
  ...payoutCommands,
  ...payoutSettingCommands,
  ...moneyCommands,
  ...reportCommands(newId),
  ...remittanceCommands,
  ...fxRateSetCommands,
  ...royaltyRuleCommands,
  ...runCommands,
  ...webhookCommands,
};

/** What `--help` prints; undefined without it. */
export function adminHelp(argv: readonly string[]): string | undefined {
  if (!argv.includes('--help')) return undefined;
  const [noun = '', verb = ''] = argv;
  return usageOf(adminCommands, noun, verb);
}

/** Runs one command and returns the object to print. */
export async function runAdminCommand(
  db: Database,
  config: AdminConfig,
  argv: readonly string[],
): Promise<object> {
  const [noun = '', verb = '', ...flags] = argv;
  try {
    return await runCommand(db, config, `${noun} ${verb}`, flags);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const usage = usageOf(adminCommands, noun, verb);
    throw new Problem('invalid_request', `${error.message}\n\n${usage}`);
  }
}

async function runCommand(
  db: Database,
  config: AdminConfig,
  name: string,
  flags: readonly string[],
): Promise<object> {
  const command = Object.hasOwn(adminCommands, name) ? adminCommands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `There is no command "${name.trim()}"${didYouMean(name.trim(), Object.keys(adminCommands)) || '.'}`,
    );
  const called = command.called(flags);
  const { target, organizations = organizationsWithKeys } = called;
  const run = (orgId: OrgId) => runForOrganization(db, config, { name, called, orgId });
  return target === 'everywhere'
    ? runEverywhere(await organizations(db.withoutTenant), run)
    : ((await run(target))?.shown ?? {});
}

export async function runAdmin(config: AdminConfig, argv: readonly string[]): Promise<void> {
  const db = openDatabase({
    url: config.operatorDatabaseUrl,
    connectionsMax: 1,
    clock: systemClock,
    newId,
    onIdleError: () => undefined,
  });
  try {
    await refuseOtherDatabase(db, 'TONEARM_OPERATOR_DATABASE_URL', config.environment);
    console.log(JSON.stringify(await runAdminCommand(db, config, argv), undefined, 2));
  } catch (error) {
    throw explainConstraint(error);
  } finally {
    await db.close();
  }
}
