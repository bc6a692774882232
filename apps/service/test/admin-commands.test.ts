/** The declarations of the operator's commands: each flag, its type and its help, for every command. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { adminCommands, adminHelp } from '../src/app/admin.ts';
import type { Command } from '../src/app/admin/command.ts';
import type { Flag, FlagType } from '../src/app/admin/flag.ts';
import { toWire } from '../src/kernel/ids.ts';

const samples: Readonly<Record<string, string>> = {
  AMOUNT: '12.34',
  BASIS_POINTS: '1500',
  'CODE:TEXT': 'company_register:Send an extract.',
  CURRENCY: 'USD',
  DATE: '2027-01-31',
  DAYS: '45',
  EAN: '4006381333931',
  ISRC: 'QZ-ABC-26-00001',
  LANGUAGE: 'de',
  MONTH: '2026-11',
  'org_…|platform': 'platform',
  RATE: '0.92',
  SECONDS: '60',
  TERRITORY: 'DE',
  UPC: '860001000009',
};

function sampleOf({ placeholder, is }: FlagType<unknown>): string {
  const [, prefix] = /^([a-z]+)_…(?:,…)?$/.exec(placeholder) ?? [];
  const [, first] = /one of: ([^,]+)/.exec(is) ?? [];
  if (prefix !== undefined) return toWire(prefix, '01890a5d-ac96-774b-bcce-b302099a8057');
  return first ?? samples[placeholder] ?? 'text';
}

const given = (name: string, { type }: Flag, value = type && sampleOf(type)): string =>
  value === undefined ? `--${name}` : `--${name}=${value}`;

/** Every flag that must be given, the first of those of which one must be given, and these flags. */
function argvOf({ flags, exactlyOne }: Command, ...others: readonly string[]): string[] {
  const isNeeded = ([name, flag]: readonly [string, Flag]) =>
    flag.isRequired || name === exactlyOne[0];
  const needed = Object.entries(flags).filter(isNeeded);
  return [...needed.map(([name, flag]) => given(name, flag)), ...others];
}

const without = (argv: readonly string[], name: string): string[] =>
  argv.filter((each) => each !== `--${name}` && !each.startsWith(`--${name}=`));

/** The flag with a value of its type, without one, twice, and with values of other types. */
function tryFlag(command: Command, flag: string, declared: Flag): void {
  const { type, isRequired, isRepeated } = declared;
  const isAlternative = command.exactlyOne.includes(flag);
  const first = isAlternative ? (command.exactlyOne[0] ?? '') : flag;
  const others = without(without(argvOf(command), first), flag);
  const call =
    (...argv: string[]) =>
    () =>
      command.called([...others, ...argv]);
  const one = given(flag, declared);
  call(one)();
  if (isRequired) assert.throws(call(), new RegExp(`^Problem: --${flag} is required\\.`));
  if (isRepeated) call(one, one)();
  else assert.throws(call(one, one), new RegExp(`--${flag} must be sent once`));
  if (type === undefined) {
    assert.throws(call(`--${flag}=yes`), /takes no value/);
    return;
  }
  const isMissing = isRequired ? /is required/ : /must have a value/;
  assert.throws(call(`--${flag}`), isMissing);
  assert.throws(call(`--${flag}=`), isMissing);
  assert.throws(call(`--${flag}`, '--other'), new RegExp(`--${flag} is followed by --other`));
  if (type.allows === 'every character') return;
  assert.throws(call(`--${flag}=a\u0007`), new RegExp(`--${flag} must not contain U\\+0007`));
  if (/text/.test(type.is) && type.placeholder !== 'CODE:TEXT') return;
  assert.throws(call(`--${flag}=not this`), new RegExp(`--${flag} must be `));
}

const actsOutside = new Set([
  'key create',
  'oauth create',
  'oauth add-secret',
  'stores test',
  'reports receive',
]);
const onlyReads = /^[\w-]+ (?:list|show|due|review|health|connection|suspense)$|^audit verify$/;

const all = Object.entries(adminCommands);

test('every command is here', () => {
  assert.ok(all.length >= 76, String(all.length));
});

for (const [name, command] of all) {
  const call = (argv: readonly string[]) => () => command.called(argv);
  const flags = Object.entries(command.flags);
  const alternatives = flags.filter(([flag]) => command.exactlyOne.includes(flag));

  describe(name, () => {
    test('accepts what it declares', () => {
      call(argvOf(command))();
      const free = flags.filter(
        ([flag, { isRequired }]) => !isRequired && !command.exactlyOne.includes(flag),
      );
      call(argvOf(command, ...free.map(([flag, declared]) => given(flag, declared))))();
    });

    test('refuses a flag that it does not have, and a word that belongs to no flag', () => {
      assert.throws(call(argvOf(command, '--colour', 'red')), /This command has no flag --colour/);
      assert.throws(call(argvOf(command, '-x')), /This command has no flag -x/);
      assert.throws(call(argvOf(command, 'red')), /"red" belongs to no flag/);
    });

    test('reads each flag by its type, as often as it may be given', () => {
      for (const [flag, declared] of flags) tryFlag(command, flag, declared);
    });

    if (alternatives.length > 0) {
      test('needs exactly one of its alternatives', () => {
        const none = without(argvOf(command), command.exactlyOne[0] ?? '');
        assert.throws(call(none), /and only one of them/);
        const every = alternatives.map(([flag, declared]) => given(flag, declared));
        assert.throws(call([...none, ...every]), /and only one of them/);
      });
    }

    const isRefused = onlyReads.test(name) || actsOutside.has(name);
    test(`has ${isRefused ? 'no' : 'a'} dry run`, () => {
      const tried = call(argvOf(command, '--dry-run'));
      if (isRefused) assert.throws(tried, /There is no dry run of this command: (?:it|the) /);
      else assert.equal(tried().isDryRun, true);
    });

    test('--help shows its summary and each of its flags', () => {
      const help = adminHelp([...name.split(' '), '--help']) ?? '';
      assert.ok(help.includes(command.summary), help);
      const [usage = '', ...lines] = help.split('\n');
      for (const [flag, { isRequired }] of flags) {
        const line = lines.find((each) => each.startsWith(`  --${flag}`)) ?? '';
        assert.equal(/ required/.test(line), isRequired || / required to/.test(line), line);
        const isBare = isRequired || command.exactlyOne.includes(flag);
        assert.equal(usage.includes(`[--${flag}`), !isBare, usage);
      }
    });
  });
}

describe('--help', () => {
  test('of a noun lists its commands, and of no command all', () => {
    const payouts = adminHelp(['payouts', '--help']) ?? '';
    const whole = adminHelp(['--help']) ?? '';
    for (const [name, { summary }] of all) {
      const isListed = (help: string) =>
        help
          .split('\n')
          .some((line) => line.startsWith(`  ${name} `) && line.endsWith(` ${summary}`));
      assert.ok(isListed(whole), name);
      assert.equal(isListed(payouts), name.startsWith('payouts '), name);
    }
  });

  test('is asked for only by its name', () => {
    assert.equal(adminHelp(['payouts', 'list']), undefined);
  });
});

test('a misspelled flag or value is answered with the right one', () => {
  const called = (name: string, ...argv: string[]) => {
    const command = adminCommands[name];
    assert.ok(command);
    return () => command.called(argv);
  };
  assert.throws(called('earnings release', '--hlod=x'), /no flag --hlod\. Did you mean `--hold`\?/);
  assert.throws(
    called('key create', '--org=org_01h455vb4pex5vsknk084sn02q', '--scopes=releases:raed'),
    /Did you mean `releases:read`\?/,
  );
  assert.throws(called('adjustments create', '--amount', '-5'), /write --amount=-5\./);
});
