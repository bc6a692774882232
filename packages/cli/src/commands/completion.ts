/** `completion bash|zsh|fish`: a script that completes commands and options, made from the tree of commands. */

import type { Command } from 'commander';
import { completionScripts } from '../completion/scripts.ts';
import { commandTree } from '../completion/tree.ts';
import { usageFailure } from '../failure.ts';

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for a shell')
    .addHelpText(
      'after',
      `
Examples:
  bash  echo 'source <(tonearm completion bash)' >>~/.bashrc
  zsh   echo 'source <(tonearm completion zsh)' >>~/.zshrc
  fish  tonearm completion fish >~/.config/fish/completions/tonearm.fish`,
    )
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish') {
        throw usageFailure(`There is no completion for ${shell}: use bash, zsh or fish.`);
      }
      process.stdout.write(completionScripts[shell](commandTree(program)));
    });
}
