/** The tree of commands. */

import { Command } from 'commander';
import { addAccountCommands } from './commands/account.ts';
import { addAssetCommands } from './commands/assets.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDeliverCommand } from './commands/deliver.ts';
import { addDeliveryCommands } from './commands/deliveries.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addListenCommand } from './commands/listen.ts';
import { addPayoutCommands } from './commands/payouts.ts';
import { addRawCommands } from './commands/raw.ts';
import { addReleaseCommands } from './commands/releases.ts';
import { addRoyaltyCommands } from './commands/royalties.ts';
import { addSandboxCommands } from './commands/sandbox.ts';
import { addStatementCommands } from './commands/statements.ts';
import { addStoreCommands } from './commands/stores.ts';
import { addTrackCommands } from './commands/tracks.ts';
import { addTriggerCommand } from './commands/trigger.ts';
import { addWebhookCommands } from './commands/webhooks.ts';
import { addMcpCommand } from './mcp/command.ts';
import { requireApiKey, resolveSettings } from './settings/settings.ts';
import { version } from './version.ts';

const exitCodeHelp = `
Exit status: 0 done, 1 the API refused or did not answer, 2 the command is wrong,
3 the time to wait is over, 4 it has ended but not as wished (rejected, failed).

Output is JSON if it is not a terminal. Set NO_COLOR to see no colours.`;

export function createProgram(): Command {
  const program = new Command('tonearm')
    .description('Deliver music to stores, from the command line.')
    .version(version)
    .option('--profile <name>', 'the profile of the key (default: TONEARM_PROFILE, or "default")')
    .option('--api-url <url>', 'where the service is (default: TONEARM_URL, or the profile)')
    .option('--json', 'print JSON, also in a terminal')
    .option('--table', 'print tables, also into a file or a pipe')
    .option('--no-color', 'print no colours')
    .option('--debug', 'print every request as a curl command, without secrets and personal fields')
    .option('-y, --yes', 'do not ask before something that cannot be undone')
    .configureHelp({ sortSubcommands: false })
    .addHelpText('after', exitCodeHelp)
    .exitOverride();

  program.commandsGroup('Account:');
  addAccountCommands(program);
  addDoctorCommand(program);
  program.commandsGroup('Catalog:');
  addReleaseCommands(program);
  addTrackCommands(program);
  addAssetCommands(program);
  program.commandsGroup('Distribution:');
  addStoreCommands(program);
  addDeliverCommand(program);
  addDeliveryCommands(program);
  program.commandsGroup('Money:');
  addRoyaltyCommands(program);
  addStatementCommands(program);
  addPayoutCommands(program);
  program.commandsGroup('Development:');
  addListenCommand(program);
  addTriggerCommand(program);
  addEventCommands(program);
  addWebhookCommands(program);
  addSandboxCommands(program);
  addRawCommands(program);
  addMcpCommand(program, () => {
    const settings = resolveSettings(program.opts(), process.env);
    return { apiKey: requireApiKey(settings), baseUrl: settings.apiUrl };
  });
  addCompletionCommand(program);
  return program;
}
