/** What `--help` prints and the manual shows, from the declarations of the commands. */

import type { Command, Commands } from './command.ts';
import type { Flag } from './flag.ts';

/** Of the command, if there is one; else of all commands of the noun; else of all. */
export function usageOf(commands: Commands, noun: string, verb: string): string {
  const name = `${noun} ${verb}`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return commandUsage(name, command);
  const all = Object.entries(commands);
  const ofNoun = all.filter(([each]) => each.startsWith(`${noun} `));
  return listUsage(ofNoun.length === 0 ? all : ofNoun);
}

const call = 'Usage: npm run admin --';

const listUsage = (commands: readonly (readonly [string, Command])[]): string =>
  [
    `${call} COMMAND`,
    '',
    ...columns(commands.map(([name, { summary }]) => [name, summary])),
    '',
    'COMMAND --help shows the flags of a command. Answers are JSON; secrets are shown once.',
  ].join('\n');

const commandUsage = (name: string, command: Command): string =>
  [
    `${call} ${name} ${flagsOf(command)}`.trimEnd(),
    '',
    `  ${command.summary}`,
    '',
    ...columns(
      Object.entries(command.flags).map(([flag, declared]) => [
        shapeOf(flag, declared),
        explained(declared),
      ]),
    ),
  ]
    .join('\n')
    .trimEnd();

/** `--org org_… (--file FILE | --rate RATE…) [--dry-run]` */
export const flagsOf = ({ flags, exactlyOne }: Command): string =>
  Object.entries(flags)
    .map(([name, flag]) => {
      if (!exactlyOne.includes(name)) {
        return flag.isRequired ? shapeOf(name, flag) : `[${shapeOf(name, flag)}]`;
      }
      const opening = name === exactlyOne[0] ? '(' : '| ';
      return `${opening}${shapeOf(name, flag)}${name === exactlyOne.at(-1) ? ')' : ''}`;
    })
    .join(' ');

const shapeOf = (name: string, { type, isRepeated }: Flag): string =>
  `--${name}${type === undefined ? '' : ` ${type.placeholder}`}${isRepeated ? '…' : ''}`;

const explained = ({ type, isRequired, about }: Flag): string =>
  [isRequired ? 'required' : '', type?.is ?? '', about].filter((each) => each !== '').join('; ');

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}
