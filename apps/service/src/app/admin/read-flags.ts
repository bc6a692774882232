/** Reads a command line by the flags that its command declares. Everything else is refused. */

import { parseArgs } from 'node:util';
import { didYouMean } from '../../kernel/near-name.ts';
import { type Flag, type FlagSet, UsageError } from './flag.ts';

type Rules = {
  readonly flags: FlagSet;
  /** Of these flags one must be given, and no other. */
  readonly exactlyOne: readonly string[];
};

export function readFlags(
  { flags, exactlyOne }: Rules,
  argv: readonly string[],
): Readonly<Record<string, unknown>> {
  const given = textsOf(flags, argv);
  const values = Object.entries(flags).map(([name, flag]) => {
    const texts = given.get(name) ?? [];
    refuseCount(flag, texts, name);
    return [name, flag.read(texts, name)] as const;
  });
  const chosen = exactlyOne.filter((name) => given.has(name));
  if (exactlyOne.length > 0 && chosen.length !== 1) {
    const names = exactlyOne.map((name) => `--${name}`).join(', or ');
    throw new UsageError(`Send ${names}, and only one of them.`);
  }
  return Object.fromEntries(values);
}

/** The texts by the names of their flags. A switch has the text of its own name. */
function textsOf(flags: FlagSet, argv: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      Object.entries(flags).map(([name, { type }]) => [
        name,
        { type: type === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
    strict: false,
    tokens: true,
  });
  const texts = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') {
      const word = token.kind === 'positional' ? token.value : '--';
      throw new UsageError(`"${word}" belongs to no flag.`);
    }
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined || token.rawName !== `--${token.name}`) {
      const names = Object.keys(flags).map((name) => `--${name}`);
      throw new UsageError(
        `This command has no flag ${token.rawName}${didYouMean(token.rawName, names) || '.'}`,
      );
    }
    texts.set(token.name, [...(texts.get(token.name) ?? []), textOf(flag, token)]);
  }
  return texts;
}

type OptionToken = {
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
};

function textOf({ type }: Flag, { name, value, inlineValue }: OptionToken): string {
  if (type === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return name;
  }
  if (inlineValue !== true && /^-./.test(value ?? '')) {
    throw new UsageError(
      `--${name} is followed by ${value}. If that is its value, write --${name}=${value}.`,
    );
  }
  return value ?? '';
}

function refuseCount(
  { isRequired, isRepeated }: Flag,
  texts: readonly string[],
  name: string,
): void {
  const isEmpty = texts.includes('');
  if (isRequired && (isEmpty || texts.length === 0)) {
    throw new UsageError(`--${name} is required.`);
  }
  if (isEmpty) throw new UsageError(`--${name} must have a value.`);
  if (!isRepeated && texts.length > 1) throw new UsageError(`--${name} must be sent once.`);
}
