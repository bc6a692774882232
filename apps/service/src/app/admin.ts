/** The operator's command line. Every command is one transaction with its audit row. */

import { parseArgs } from 'node:util';
import { verificationStatuses } from '../identity/domain/verification.ts';
import { organizationsWithKeys } from '../identity/store/credentials.ts';
import { systemClock } from '../kernel/clock.ts';
import type { OrgId } from '../kernel/ids.ts';
import { formatMicros, sumMicros } from '../kernel/money.ts';
import { didYouMean } from '../kernel/near-name.ts';
import { Problem } from '../kernel/problem.ts';
import { forbiddenCharacterIn, hasVisibleCharacter, toNfc } from '../kernel/text.ts';
import { tiers } from '../kernel/tier.ts';
import { adjustmentTypes } from '../money/domain/adjustment.ts';
import { earningHoldReasons } from '../money/domain/earning-hold.ts';
import { payOnValues } from '../network/face.ts';
import { createIds } from '../platform/crypto/new-id.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { incomeTypes } from '../royalties/domain/calculation.ts';
import { remittanceDecisions } from '../royalties/domain/remittance.ts';
import { reportFormats } from '../royalties/domain/report.ts';
import { catalogCommands } from './admin/catalog.ts';
import {
  type CommandResult,
  type Commands,
  type Flags,
  UsageError,
  valueSeparator,
} from './admin/command.ts';
import { deliveryCommands } from './admin/deliveries.ts';
import { identityCommands } from './admin/identity.ts';
import { moneyCommands } from './admin/money.ts';
import { networkCommands } from './admin/network.ts';
import { oauthCommands } from './admin/oauth.ts';
import { payoutSettingCommands } from './admin/payout-settings.ts';
import { payoutCommands } from './admin/payouts.ts';
import { remittanceCommands } from './admin/remittances.ts';
import { reportCommands } from './admin/reports.ts';
import { royaltyRuleCommands } from './admin/royalty-rules.ts';
import { runForOrganization } from './admin/run-command.ts';
import { runCommands } from './admin/runs.ts';
import { storeConnectionCommands } from './admin/store-connections.ts';
import { webhookCommands } from './admin/webhooks.ts';
import type { AdminConfig } from './config/admin.ts';
import { refuseOtherDatabase } from './environment-guard.ts';

const adminUsage = `Usage: npm run admin -- COMMAND

  org create --name NAME --tier ${tiers.join('|')} [--label LABEL] [--language en] [--territories US,DE,…] [--id org_…]
             [--statement-currency USD]
  org suspend|resume --org org_…                  a suspended organization reads, but changes nothing
  org set-tier --org org_… --tier ${tiers.join('|')}
  org set-statement-currency --org org_… --currency EUR
                                  of later statements; balances stay in their currency
  org verify --org org_… --status ${verificationStatuses.join('|')} [--requirement CODE:TEXT]…
                                  what the organization must still send; give each with its own --requirement
  key create --org org_… [--name NAME] [--scopes releases:read,…] [--expires 2027-01-31]
  key revoke --org org_… --key key_…
  oauth create --org org_… [--name NAME] [--scopes releases:read,…]
  oauth add-secret --org org_… --client oac_… [--grace SECONDS]     the other secrets expire after the grace period
  oauth revoke-secret --org org_… --client oac_… --secret ocs_…
  oauth revoke --org org_… --client oac_…         with its secrets and access tokens
  upc add-range --org org_… --prefix GS1_COMPANY_PREFIX
  isrc add-registrant --org org_… --code REGISTRANT_CODE
  review manual --org org_… --switch on|off       whether a person decides on submissions
  review list --org org_…
  review decide --org org_… --submission sub_… --decision approve|reject [--reason TEXT]
  stores seed                     add or update the sandbox's fictional stores
  stores create --file STORE.json                 add a store, which is paused until you resume it
  stores pause|resume --store STORE_ID            pause deliveries to this store, or resume them
  stores connect --store STORE_ID --file SETTINGS.json --secret-file FILE
                                  how a store is reached and wants its messages; the file holds the private key (SFTP)
                                  or the secret access key (S3), which is sealed with TONEARM_KEYS
  stores connection --store STORE_ID              what was set, without the secret
  stores test --store STORE_ID    connect, write, read and remove a file
  stores health --store STORE_ID  whether the store is reached, and its files that could not be used
  stores dismiss --store STORE_ID [--name FILE]   forget one of these files, or all
  stores disconnect --store STORE_ID              in the sandbox: the store is simulated again
  deliveries backfill --org org_… --store STORE_ID [--territories US,DE,…] [--after rel_…]
                                  deliver releases that other stores have and this store never had,
                                  1,000 releases per job
  deliveries purge --org org_… --release rel_… --store STORE_ID --reason TEXT
                                  have one store forget a release that it got by mistake or that is corrupt there
  payouts list --org org_… [--status STATUS]      the newest 100, with their open holds
  payouts hold --org org_… --payout pay_… --reason compliance_review|manual [--requirement CODE:TEXT]…
  payouts release --org org_… --payout pay_… --reason REASON        then all checks run again
  payouts reject --org org_… --payout pay_… --reason REASON         the payout is canceled
  legal takedown --isrc ISRC|--upc UPC|--ean EAN --reason TEXT
                                  take it down from every store, in every organization, with a legal hold
  legal lift --org org_… --release rel_…          remove the legal hold
  payouts dual-control --org org_… --switch on|off
                                  whether a second credential must approve new payout methods
  fx set --from USD --to EUR --rate 0.92          the rate of payouts whose method has another currency
  fx seed                         set the sandbox's fictional rates
  adjustments create --org org_… --type TYPE --currency EUR --amount GROSS [--fee AMOUNT] [--tax AMOUNT] --reason TEXT
                     [--refers-to stm_…|hld_…|pay_…|adj_…]
                                  adds GROSS - fee - tax to the balance; write a negative amount as --amount=-12.50;
                                  the types are ${adjustmentTypes.join(', ')}
  earnings hold --org org_… --currency EUR --amount AMOUNT --reason REASON [--store STORE_ID] [--isrc ISRC]
                [--period-start DATE --period-end DATE] [--evidence TEXT] [--review-by DATE]
                                  the reasons are ${earningHoldReasons.join(', ')}
  earnings release|forfeit --org org_… --hold hld_…  pay held earnings after all, or give them back to the store
  runs create --month 2026-10 --fx-set fxs_…      calculate the statements of a month from all reports that are paid
  runs list                       the newest first
  runs show|review --run run_…    its progress; what to check before it is approved
  runs cancel|start --run run_…   stop the calculation, and continue it
  runs approve --run run_…        by another operator than the one who created it
  runs close --run run_…          publish the statements and credit the balances
  runs discard --run run_…        remove everything that was calculated
  runs draw-documents --run run_… [--org org_…]   draw the documents again that could not be drawn; --org of runs: only in
                                  the sandbox, where a run may belong to a partner
  remittances record --store STORE_ID --reference TEXT --currency EUR --amount GROSS [--source-tax AMOUNT]
                     [--settled-currency USD --settled-amount AMOUNT] [--bank-fee AMOUNT] --value-date DATE
                     --reports rpt_…,rpt_… | --completes rmt_…
                                  what a store paid; GROSS is with the tax that the store withheld, the settled amount
                                  is before the bank's fee
  remittances list [--store STORE_ID]             the newest 100
  remittances show --remittance rmt_…             with all payments of its reports
  remittances due                 reports that wait for a remittance or a decision
  remittances decide --remittance rmt_… --as ${remittanceDecisions.join('|')}
                                  what becomes of reports that were not paid exactly
  stores pay-on --store STORE_ID --on ${payOnValues.join('|')}   when reports may enter a run
  stores report-due --store STORE_ID --days 45   days after a month until the store reports it
  fx-rate-sets create --name NAME --as-of DATE --file FILE.csv | --rate EUR/USD=1.08…
                                  the rates of a run; lines of the file are EUR,USD,1.08
  fx-rate-sets list               the newest 100
  fx-rate-sets show --set fxs_…
  fee-rules set --org org_…|platform [--store STORE_ID] [--use-type USE_TYPE] --basis-points 1500 --from 2026-01
                [--to 2026-12]    by usage month; replaces the rule that begins in the same month
  fee-rules end --org org_…|platform --rule fee_… --to 2026-12
  fee-rules list --org org_…|platform             with the rules of the platform
  withholding-rules set --source US --income ${incomeTypes.join('|')} [--payee DE] [--form valid|any] --basis-points 3000
                        --from 2026-01 [--to 2026-12]
                                  by statement month; --form valid: only payees with a valid tax form
  withholding-rules list
  ledger verify [--org org_…] [--from start]      entries since the last verification, or all; without --org of
                                  every organization
  reports receive --store STORE_ID --format ${reportFormats.join('|')} --file PATH… [--wait] [--org org_…]
                                  upload the files of one report and read them; the same files again are the same
                                  report. --wait shows the progress until it is read
  reports list [--status STATUS] [--store STORE_ID] [--org org_…]    the newest 100
  reports show --report rpt_… [--org org_…]       with its files, totals and parts
  reports decide --report rpt_… --supersedes rpt_…|--supplements rpt_… [--org org_…]
                                  what a report is to another about the same usage: it replaces it, or both are paid
  reports suspense --report rpt_… [--org org_…]   which rows have no owner, and why: the largest 100 amounts
  reports rematch --report rpt_… [--org org_…]    match the rows in suspense again; the next run pays those that have an owner
  reports reject --report rpt_… --reason TEXT [--org org_…]          before a run has taken it
                                  --org of reports: only in the sandbox, where a report belongs to a partner
  changelog publish --date DATE   send this entry of the changelog to the enterprise tier, once
  audit verify --org org_…

Without --scopes a key or a client gets every scope. With --id the same organization can be provisioned in
sandbox and live. Answers are JSON; secrets are shown once.`;

const newId = createIds(systemClock);

const commands: Commands = {
  ...identityCommands(newId),
  ...oauthCommands,
  ...catalogCommands,
  ...networkCommands,
  ...storeConnectionCommands,
  ...deliveryCommands,
  ...payoutCommands,
  ...payoutSettingCommands,
  ...reportCommands(newId),
  ...webhookCommands,
  ...moneyCommands,
  ...runCommands,
  ...remittanceCommands,
  ...royaltyRuleCommands,
};

/** Runs one command and returns the object to print. */
export async function runAdminCommand(
  db: Database,
  config: AdminConfig,
  argv: readonly string[],
): Promise<object> {
  try {
    return await runCommand(db, config, argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new Problem('invalid_request', `${error.message}\n\n${adminUsage}`);
  }
}

async function runCommand(
  db: Database,
  config: AdminConfig,
  [noun = '', verb = '', ...rest]: readonly string[],
): Promise<object> {
  const name = `${noun} ${verb}`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(
      `There is no command "${name.trim()}"${didYouMean(name.trim(), Object.keys(commands)) || '.'}`,
    );
  const flags = flagsOf(rest);
  const { orgOf, organizations = organizationsWithKeys } = command;
  const target = orgOf === 'everywhere' ? orgOf : orgOf(flags);
  const run = (orgId: OrgId) => runForOrganization(db, config, { name, command, flags, orgId });
  return target === 'everywhere'
    ? runEverywhere(await organizations(db.withoutTenant), run)
    : ((await run(target))?.shown ?? {});
}

/** One organization after the other: no query crosses them (architecture §2). */
async function runEverywhere(
  organizations: readonly OrgId[],
  run: (orgId: OrgId) => Promise<CommandResult | undefined>,
): Promise<object> {
  const results: CommandResult[] = [];
  for (const orgId of organizations) {
    const result = await run(orgId);
    if (result !== undefined) results.push(result);
  }
  return { organizations: results.map(({ shown }) => shown), ...wrongTotals(results) };
}

/** Nothing for a command that has no such amounts. */
function wrongTotals(results: readonly CommandResult[]): { wrong_totals?: object } {
  if (results.every(({ zeroInTotal }) => zeroInTotal === undefined)) return {};
  const amounts = results.flatMap(({ zeroInTotal = [] }) => zeroInTotal);
  const totals = [...Map.groupBy(amounts, ({ name }) => name)].map(
    ([name, ofName]) => [name, sumMicros(ofName.map(({ amount }) => amount))] as const,
  );
  return {
    wrong_totals: Object.fromEntries(
      totals
        .filter(([, total]) => total !== 0n)
        .map(([name, total]) => [name, formatMicros(total)]),
    ),
  };
}

function flagsOf(argv: readonly string[]): Flags {
  const names = [
    'id',
    'name',
    'tier',
    'label',
    'language',
    'territories',
    'org',
    'scopes',
    'expires',
    'key',
    'prefix',
    'code',
    'switch',
    'submission',
    'decision',
    'reason',
    'store',
    'isrc',
    'upc',
    'ean',
    'release',
    'after',
    'date',
    'client',
    'secret',
    'grace',
    'status',
    'payout',
    'from',
    'to',
    'type',
    'currency',
    'amount',
    'fee',
    'tax',
    'refers-to',
    'hold',
    'period-start',
    'period-end',
    'evidence',
    'review-by',
    'fx-set',
    'month',
    'run',
    'secret-file',
    'statement-currency',
    'reference',
    'source-tax',
    'settled-amount',
    'settled-currency',
    'bank-fee',
    'value-date',
    'reports',
    'completes',
    'remittance',
    'as',
    'on',
    'use-type',
    'basis-points',
    'days',
    'rule',
    'source',
    'income',
    'payee',
    'form',
    'as-of',
    'set',
    'format',
    'report',
    'supersedes',
    'supplements',
  ];
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
    requirement: { type: 'string', multiple: true } as const,
    rate: { type: 'string', multiple: true } as const,
    file: { type: 'string', multiple: true } as const,
    wait: { type: 'boolean' } as const,
  };
  return Object.fromEntries(
    Object.entries(parsed(argv, options)).map(([name, value = '']) => [
      name,
      [value]
        .flat()
        .map((text) => (name === 'file' ? String(text) : textOf(String(text), name)))
        .join(valueSeparator),
    ]),
  );
}

function parsed(
  argv: readonly string[],
  options: Readonly<Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>>,
) {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable arguments');
  }
}

/** Contract §1, as for a partner's text: names and labels set here appear in releases. */
function textOf(text: string, name: string): string {
  const character = forbiddenCharacterIn(text, { isMultiline: name === 'reason' });
  if (character !== undefined) throw new UsageError(`--${name} must not contain ${character}.`);
  if (text !== '' && !hasVisibleCharacter(text)) {
    throw new UsageError(`--${name} must contain a visible character.`);
  }
  return toNfc(text);
}

/** Messages for violated constraints of the database. */
const constraintProblems: Readonly<Record<string, string>> = {
  '23505': 'This id or range already exists.',
  '23P01': 'This range overlaps a range that is already assigned.',
  '23514': 'A value is too long, or is not allowed.',
};

function explainConstraint(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = constraintProblems[code];
  return message === undefined ? error : new Problem('invalid_field', message);
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
