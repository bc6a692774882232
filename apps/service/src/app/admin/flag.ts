/** One flag of an operator's command: how often it is given, and how its text becomes a value. */

import { Problem } from '../../kernel/problem.ts';
import { forbiddenCharacterIn, hasVisibleCharacter, toNfc } from '../../kernel/text.ts';

/** The command line is wrong. `runAdminCommand` adds the usage of the command to the message. */
export class UsageError extends Problem {
  constructor(message: string) {
    super('invalid_request', message);
  }
}

export type FlagType<Value> = {
  readonly placeholder: string;
  /** Ends the sentence "--flag must be …". */
  readonly is: string;
  /** Undefined: the text is refused. */
  readonly parse: (text: string) => Value | undefined;
  /** For a text that is refused: "Did you mean …?", or nothing. */
  readonly near?: (text: string) => string;
  /** Which characters the text may have. Undefined: those of one line. */
  readonly allows?: 'lines' | 'every character';
};

export type Flag<Value = unknown> = {
  /** Undefined: a switch, which takes no text. */
  readonly type?: FlagType<unknown>;
  readonly isRequired: boolean;
  readonly isRepeated: boolean;
  /** What the type does not say. */
  readonly about: string;
  /** None of the texts is empty, and there is one if the flag is required. */
  readonly read: (texts: readonly string[], name: string) => Value;
};

export type FlagSet = Readonly<Record<string, Flag>>;

export type ValuesOf<Flags extends FlagSet> = {
  readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer Value> ? Value : never;
};

/** The values of flags of which one was given, and no other. */
export type OneOf<Values, Names extends keyof Values> = {
  [Name in Names]: { readonly [Given in Name]: NonNullable<Values[Given]> } & {
    readonly [Other in Exclude<Names, Name>]: undefined;
  };
}[Names];

export const required = <Value>(type: FlagType<Value>, about = ''): Flag<Value> => ({
  type,
  about,
  isRequired: true,
  isRepeated: false,
  read: ([text = ''], name) => valueOf(type, text, name),
});

export const optional = <Value>(type: FlagType<Value>, about = ''): Flag<Value | undefined> => ({
  type,
  about,
  isRequired: false,
  isRepeated: false,
  read: ([text], name) => (text === undefined ? undefined : valueOf(type, text, name)),
});

/** Undefined if it is not given, as a flag that is not repeated. */
export const repeated = <Value>(
  type: FlagType<Value>,
  about = '',
): Flag<readonly Value[] | undefined> => ({
  type,
  about,
  isRequired: false,
  isRepeated: true,
  read: (texts, name) => (texts.length === 0 ? undefined : valuesOf(type, texts, name)),
});

export const oneOrMore = <Value>(type: FlagType<Value>, about = ''): Flag<readonly Value[]> => ({
  type,
  about,
  isRequired: true,
  isRepeated: true,
  read: (texts, name) => valuesOf(type, texts, name),
});

export const toggle = (about: string): Flag<boolean> => ({
  about,
  isRequired: false,
  isRepeated: false,
  read: ({ length }) => length > 0,
});

const valuesOf = <Value>(type: FlagType<Value>, texts: readonly string[], name: string): Value[] =>
  texts.map((text) => valueOf(type, text, name));

function valueOf<Value>(type: FlagType<Value>, text: string, name: string): Value {
  const value = type.parse(textOf(type, text, name));
  if (value === undefined) {
    throw new UsageError(`--${name} must be ${type.is}${type.near?.(text) || '.'}`);
  }
  return value;
}

/** Contract §1, as for a partner's text: names and labels set here appear in releases. */
function textOf({ allows }: FlagType<unknown>, text: string, name: string): string {
  if (allows === 'every character') return text;
  const character = forbiddenCharacterIn(text, { isMultiline: allows === 'lines' });
  if (character !== undefined) throw new UsageError(`--${name} must not contain ${character}.`);
  if (!hasVisibleCharacter(text)) {
    throw new UsageError(`--${name} must contain a visible character.`);
  }
  return toNfc(text);
}
