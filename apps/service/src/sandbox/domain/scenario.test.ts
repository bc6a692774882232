/** Which steps are refused, and which step a message meets (contract §4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type MessageKind,
  messageKinds,
  type PayoutAction,
  payoutActions,
  refuseSteps as refuseStepsOf,
  refuseTarget,
  refuseTooManyScenarios,
  type Scenario,
  type ScenarioStep,
  stepAt,
  storeActions as actions,
} from './scenario.ts';

type Action = (typeof actions)[number];
type Field = Exclude<keyof ScenarioStep, 'action' | 'chance'>;

const valueOf: Readonly<Required<Pick<ScenarioStep, Field>>> = {
  after: '2h',
  code: 'metadata_error',
  reason: 'The title.',
  resolves: 'confirm',
  resolves_after: '1h',
  times: 3,
  lasts: '5h',
  then: [{ action: 'flag', after: '1d' }],
};
const fields = Object.keys(valueOf) as Field[];

/**
 * Expected, independent of the code: each field of each action is required (!), allowed (+), with `resolves`
 * (r), or refused (-).
 */
const table: Readonly<Record<Action, string>> = {
  //          after code reason resolves resolves_after times lasts then
  confirm: '    +     -     -       -          -          -     -    +',
  reject: '     +     !     +       -          -          -     -    -',
  flag: '       +     +     +       +          r          -     -    -',
  delay: '      !     -     -       -          -          -     -    +',
  late: '       +     -     -       -          -          -     -    +',
  lose: '       -     -     -       -          -          -     -    -',
  duplicate: '  +     -     -       -          -          +     -    +',
  outage: '     -     -     -       -          -          -     !    -',
};
const markOf = (action: Action, field: Field) =>
  table[action].trim().split(/\s+/)[fields.indexOf(field)];
/** A field marked `r` is refused without `resolves`. */
const markAmong = (action: Action, field: Field, present: readonly Field[]) => {
  const mark = markOf(action, field);
  return mark === 'r' && !present.includes('resolves') ? '-' : mark;
};
const requiredOf = (action: Action) => fields.filter((field) => markOf(action, field) === '!');

const stepWith = (action: Action, present: readonly Field[]): ScenarioStep => ({
  action,
  ...Object.fromEntries(present.map((field) => [field, valueOf[field]])),
});
const smallest = (action: Action): ScenarioStep => stepWith(action, requiredOf(action));
const refuseSteps = (steps: readonly ScenarioStep[], message: MessageKind | null = null) =>
  refuseStepsOf(steps, message);
const codeAndFields = (refusal: ReturnType<typeof refuseSteps>) => [
  refusal?.code,
  refusal?.details?.map(({ field }) => field),
];

describe('contract §4: the steps of a scenario', () => {
  test('the table has every action', () => {
    assert.deepEqual(Object.keys(table), [...actions]);
    for (const row of Object.values(table)) assert.equal(row.trim().split(/\s+/).length, 8);
  });

  for (const action of actions) {
    test(`${action}: its required fields suffice, with or without a chance`, () => {
      assert.equal(refuseSteps([smallest(action)]), undefined);
      assert.equal(refuseSteps([{ ...smallest(action), chance: 0.3 }]), undefined);
    });

    for (const field of fields) {
      const mark = markOf(action, field);
      if (mark === '!') {
        test(`contract §7: ${action} without ${field} → missing_required_field`, () => {
          const without = requiredOf(action).filter((required) => required !== field);
          assert.deepEqual(codeAndFields(refuseSteps([stepWith(action, without)])), [
            'missing_required_field',
            [`steps[0].${field}`],
          ]);
        });
      } else {
        test(`${action} with ${field}: ${mark === '+' ? 'fine' : 'invalid_field'}`, () => {
          const refusal = refuseSteps([stepWith(action, [...requiredOf(action), field])]);
          const expected =
            mark === '+' ? [undefined, undefined] : ['invalid_field', [`steps[0].${field}`]];
          assert.deepEqual(codeAndFields(refusal), expected);
        });
      }
    }
  }

  test('contract §7: missing fields are reported before extra ones, and all of them are listed', () => {
    const steps: readonly ScenarioStep[] = [
      { action: 'reject', times: 2 },
      { action: 'confirm', code: 'x' },
      { action: 'delay' },
      { action: 'outage' },
    ];
    assert.deepEqual(codeAndFields(refuseSteps(steps)), [
      'missing_required_field',
      ['steps[0].code', 'steps[2].after', 'steps[3].lasts'],
    ]);
  });

  test('all extra fields are listed, step by step', () => {
    const everything = stepWith('lose', fields);
    assert.deepEqual(codeAndFields(refuseSteps([smallest('confirm'), everything, everything])), [
      'invalid_field',
      [1, 2].flatMap((i) => fields.map((field) => `steps[${i}].${field}`)),
    ]);
  });

  test('any list of steps is refused exactly where the table says so', () => {
    const step = fc
      .record({ action: fc.constantFrom(...actions), present: fc.subarray(fields) })
      .map(({ action, present }) => ({ action, present, step: stepWith(action, present) }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (all) => {
        const fieldsWith = (mark: string, isPresent: boolean) =>
          all.flatMap(({ action, present }, i) =>
            fields
              .filter((field) => markAmong(action, field, present) === mark)
              .filter((field) => present.includes(field) === isPresent)
              .map((field) => `steps[${i}].${field}`),
          );
        const [missing, extra] = [fieldsWith('!', false), fieldsWith('-', true)];
        const expected =
          missing.length > 0
            ? ['missing_required_field', missing]
            : extra.length > 0
              ? ['invalid_field', extra]
              : [undefined, undefined];
        assert.deepEqual(codeAndFields(refuseSteps(all.map((drawn) => drawn.step))), expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('catalogue §1.2: what a store does later (`then`)', () => {
  const flag = { action: 'flag', after: '90d', code: 'rights', reason: 'Another party claims it.' };
  const remove = { action: 'remove', after: '1s' };
  const refuseThen = (then: readonly object[], message: MessageKind | null = null) =>
    refuseSteps(
      [smallest('confirm'), { action: 'confirm', then: then as ScenarioStep['then'] }],
      message,
    );
  const cases: readonly [what: string, then: readonly object[], fields: readonly string[]][] = [
    ['flags, then a removal', [flag, { action: 'flag', after: '1h' }, remove], []],
    [
      'at the same moment',
      [
        { ...flag, after: '0s' },
        { ...remove, after: '0h' },
      ],
      ['[0].after', '[1].after'],
    ],
    ['a removal with a code', [{ ...remove, code: 'c' }], ['[0].code']],
    [
      'a removal with both',
      [flag, { ...remove, code: 'c', reason: 'r' }],
      ['[1].code', '[1].reason'],
    ],
    ['a flag after a removal', [remove, flag], ['[1]']],
    ['two removals', [flag, remove, remove, flag], ['[2]', '[3]']],
    [
      'a late removal that is wrong itself',
      [{ ...remove, after: '0d' }, flag],
      ['[0].after', '[1]'],
    ],
  ];
  for (const [what, then, expected] of cases) {
    test(`${what}: ${expected.length === 0 ? 'fine' : expected.join(', ')}`, () => {
      const refusal = refuseThen(then);
      assert.deepEqual(
        refusal?.details?.map(({ field }) => field) ?? [],
        expected.map((path) => `steps[1].then${path}`),
      );
      assert.equal(refusal?.code, expected.length === 0 ? undefined : 'invalid_field');
    });
  }

  test('not in a scenario for takedowns, which leave nothing at the store', () => {
    assert.deepEqual(codeAndFields(refuseThen([flag], 'takedown')), [
      'invalid_field',
      ['steps[1].then'],
    ]);
    for (const message of ['deliver', 'update', null] as const)
      assert.equal(refuseThen([flag], message), undefined);
  });
});

describe('contract §4: which step a message meets', () => {
  const scenario = (steps: readonly ScenarioStep[], repeats: boolean): Scenario => ({
    id: 'scn_01h455vb4pex5vsknk084sn02q',
    name: null,
    storeId: null,
    releaseId: null,
    message: null,
    seed: 0,
    steps,
    repeats,
    createdAt: new Date(0),
  });
  const steps = actions.slice(0, 3).map(smallest);

  test('one after the other; after the last, none', () => {
    const met = [0, 1, 2, 3, 4, 100].map((i) => stepAt(scenario(steps, false), i)?.action);
    assert.deepEqual(met, ['confirm', 'reject', 'flag', undefined, undefined, undefined]);
  });

  test('the first again after the last, if it repeats', () => {
    const met = [0, 1, 2, 3, 4, 5, 300].map((i) => stepAt(scenario(steps, true), i)?.action);
    assert.deepEqual(met, ['confirm', 'reject', 'flag', 'confirm', 'reject', 'flag', 'confirm']);
  });
});

test('contract §4: at most 1,000 scenarios are kept', () => {
  assert.equal(refuseTooManyScenarios(0), undefined);
  assert.equal(refuseTooManyScenarios(999), undefined);
  assert.equal(refuseTooManyScenarios(1_000)?.code, 'invalid_state');
  assert.equal(refuseTooManyScenarios(1_001)?.code, 'invalid_state');
});

test('contract §4: messages are of three kinds', () => {
  assert.deepEqual([...messageKinds], ['deliver', 'update', 'takedown']);
});

describe('contract §4: the steps of a scenario for payouts', () => {
  const steps: Readonly<Record<PayoutAction, Omit<ScenarioStep, 'action'>>> = {
    accept: {},
    refuse: { code: 'account_closed' },
    unknown: {},
    slow: { after: '2s' },
    bounce: { after: '21d', code: 'account_closed' },
    review: {},
    review_at_cut_off: {},
  };
  for (const action of payoutActions) {
    const step = { action, ...steps[action] };

    test(`${action}: with its fields; without a reason, a chance or a message to stores`, () => {
      assert.equal(refuseStepsOf([step], 'payout'), undefined);
      for (const extra of [{ reason: 'Why.' }, { chance: 0.5 }]) {
        const [field] = Object.keys(extra);
        assert.deepEqual(codeAndFields(refuseStepsOf([{ ...step, ...extra }], 'payout')), [
          'invalid_field',
          [`steps[0].${field}`],
        ]);
      }
      for (const message of [null, ...messageKinds]) {
        assert.deepEqual(codeAndFields(refuseStepsOf([step], message)), [
          'invalid_field',
          ['steps[0].action'],
        ]);
      }
    });
  }

  test('the action of a store is refused', () => {
    const refusal = refuseStepsOf([{ action: 'confirm' }], 'payout');
    assert.deepEqual(codeAndFields(refusal), ['invalid_field', ['steps[0].action']]);
  });

  test('a store and a release are refused', () => {
    const target = { storeId: 'aurora', releaseId: 'rel_1' };
    assert.deepEqual(codeAndFields(refuseTarget({ message: 'payout', ...target })), [
      'invalid_field',
      ['store_id', 'release_id'],
    ]);
    assert.equal(refuseTarget({ message: 'deliver', ...target }), undefined);
  });
});
