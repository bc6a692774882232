/** The tree of commands as completion needs it. */

import type { Command } from 'commander';

export type Word = { readonly name: string; readonly description: string };

export type CommandNode = {
  /** `releases list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Options that are followed by a value. */
  readonly valueOptions: readonly string[];
};

const wordsOf = (command: Command, inherited: readonly Word[]): readonly Word[] => [
  ...command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : [{ name: long, description }],
    ),
  ...inherited,
];

const valueOptionsOf = (command: Command): string[] =>
  command.options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ long, short }) => [long, short].filter((flag) => typeof flag === 'string'));

/** Every command, the program first. Options of the program work after every command. */
export function commandTree(program: Command): CommandNode[] {
  const globals = program.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ name: long, description }] : [],
  );
  const visit = (command: Command, path: string): CommandNode[] => {
    const children = command.commands.filter((child) => child.name() !== 'help');
    const inherited = command === program ? [] : globals.filter(({ name }) => name !== '--version');
    const node = {
      path,
      commands: children.map((child) => ({ name: child.name(), description: child.description() })),
      options: wordsOf(command, inherited),
      valueOptions: [...new Set([...valueOptionsOf(command), ...valueOptionsOf(program)])],
    };
    return [node, ...children.flatMap((child) => visit(child, `${path} ${child.name()}`.trim()))];
  };
  return visit(program, '');
}
