/** Questions before something that cannot be undone. */

import type { Context } from './context.ts';
import { Failure } from './failure.ts';

const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Asks a person; a script must say --yes. Returns if the answer is yes, and ends the command otherwise. */
export async function confirm({ flags }: Context, question: string): Promise<void> {
  if (flags.yes === true) return;
  if (!isInteractive()) {
    throw new Failure('usage', 'confirmation_required', `${question} Nothing was done.`, [
      'run the command again with --yes',
    ]);
  }
  // Loaded here, because most commands ask nothing.
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({
    message: question,
    initialValue: false,
    output: process.stderr,
  });
  if (answer !== true) throw new Failure('interrupted', 'canceled', 'Nothing was done.');
}

/** A secret that is typed or pasted, shown as dots. */
export async function askSecret(question: string): Promise<string> {
  const prompts = await import('@clack/prompts');
  const answer = await prompts.password({ message: question, output: process.stderr });
  if (prompts.isCancel(answer)) throw new Failure('interrupted', 'canceled', 'Nothing was done.');
  return answer;
}

export { isInteractive };
