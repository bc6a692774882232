/** How a command is connected to commander: it gets its context, its arguments and its options. */

import type { Command } from 'commander';
import { type Context, type GlobalFlags, createContext } from './context.ts';

export type Work<Options> = (context: Context, args: string[], options: Options) => Promise<void>;

/** `Options` are those that the command declares; commander has parsed them, but does not know their types. */
export function runs<Options = object>(command: Command, work: Work<Options>): Command {
  return command.action(async (...parameters: unknown[]) => {
    const called = parameters.at(-1) as Command;
    const context = createContext(called.optsWithGlobals<GlobalFlags>());
    await work(context, called.args, called.opts() as Options);
  });
}
