import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { toWire } from '../../kernel/ids.ts';
import { lastDayOf } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import { incomeTypes, type StatementId } from './calculation.ts';
import { type Payee, type WithholdingRule, withholdingRatesOf } from './withholding.ts';

const org = toWire('org', '00000000-0000-7000-8000-000000000001');
const statementId: StatementId = toWire('stm', '00000000-0000-7000-8000-000000000002');
const id = toWire('whr', '00000000-0000-7000-8000-000000000003');

const payee = (fields: Partial<Payee> = {}): Payee => ({
  orgId: org,
  statementCurrency: 'EUR',
  residence: 'DE',
  form: 'w8bene',
  expiresOn: '2026-12-31',
  ...fields,
});

const rule = (fields: Partial<WithholdingRule>): WithholdingRule => ({
  id,
  sourceTerritory: 'US',
  incomeType: 'royalty',
  payeeCountry: null,
  requiresForm: false,
  basisPoints: 3000,
  validFrom: '2020-01',
  validTo: null,
  ...fields,
});

/** Of royalties from the United States. */
function rateOf(rules: readonly WithholdingRule[], of: Payee, month: string): number {
  const input = { statements: [{ statementId, orgId: of.orgId }], month };
  const rates = withholdingRatesOf(input, [of], rules, ['DE', 'US']);
  const found = rates.find(
    ({ territory, incomeType }) => territory === 'US' && incomeType === 'royalty',
  );
  return found?.basisPoints ?? 0;
}

const usual = [
  rule({}),
  rule({ payeeCountry: 'DE', requiresForm: true, basisPoints: 0 }),
  rule({ payeeCountry: 'IN', requiresForm: true, basisPoints: 1500 }),
  rule({ payeeCountry: 'US', requiresForm: false, basisPoints: 2400 }),
  rule({ payeeCountry: 'US', requiresForm: true, basisPoints: 0 }),
];

describe('what is withheld from payees', () => {
  for (const [title, of, month, expected] of [
    ['a treaty rate with a valid form', payee(), '2026-12', 0],
    ['an expired form counts as none', payee(), '2027-01', 3000],
    [
      'a form that ends within the month is not valid at its end',
      payee({ expiresOn: '2026-12-30' }),
      '2026-12',
      3000,
    ],
    ['no form', payee({ form: 'none', expiresOn: null }), '2026-12', 3000],
    ['no tax profile', payee({ residence: null, form: null, expiresOn: null }), '2026-12', 3000],
    ['a country with its own treaty', payee({ residence: 'IN' }), '2026-12', 1500],
    ['a country without a treaty', payee({ residence: 'BR' }), '2026-12', 3000],
    ['a w9 does not expire', payee({ residence: 'US', form: 'w9', expiresOn: null }), '2099-12', 0],
    [
      'a country’s rule without a form',
      payee({ residence: 'US', form: 'none', expiresOn: null }),
      '2026-12',
      2400,
    ],
  ] as const) {
    test(title, () => assert.equal(rateOf(usual, of, month), expected));
  }

  test('a rule applies from its first to its last statement month', () => {
    const rules = [rule({ validFrom: '2026-02', validTo: '2026-03' })];
    const rates = ['2026-01', '2026-02', '2026-03', '2026-04'].map((month) =>
      rateOf(rules, payee(), month),
    );
    assert.deepEqual(rates, [0, 3000, 3000, 0]);
  });

  test('of equal rules the one that began last applies', () => {
    const rules = [rule({ validFrom: '2026-02', basisPoints: 1 }), rule({})];
    assert.equal(rateOf(rules, payee(), '2026-02'), 1);
  });

  test('only listed territories and income types are taxed, and the house is not', () => {
    const input = {
      statements: [
        { statementId, orgId: org },
        { statementId, orgId: systemOrgId },
      ],
      month: '2026-01',
    };
    const rules = [rule({}), rule({ sourceTerritory: 'FR', incomeType: 'sale' })];
    assert.deepEqual(withholdingRatesOf(input, [payee({ form: null })], rules, ['US', 'GB']), [
      { statementId, territory: 'US', incomeType: 'royalty', basisPoints: 3000 },
    ]);
  });

  test('a statement of an unknown payee is a defect', () => {
    const input = { statements: [{ statementId, orgId: org }], month: '2026-01' };
    assert.throws(() => withholdingRatesOf(input, [], [], []), TypeError);
  });

  test('equals a naive search', () => {
    const anyRule = fc.record({
      id: fc.constant(id),
      sourceTerritory: fc.constantFrom('US', 'DE'),
      incomeType: fc.constantFrom(...incomeTypes),
      payeeCountry: fc.constantFrom(null, 'DE', 'IN'),
      requiresForm: fc.boolean(),
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
      validFrom: fc.constantFrom('2026-01', '2026-02', '2026-03'),
      validTo: fc.constantFrom(null, '2026-03', '2026-04'),
    });
    const keyOf = (each: WithholdingRule) =>
      [
        each.sourceTerritory,
        each.incomeType,
        each.payeeCountry,
        each.requiresForm,
        each.validFrom,
      ].join();
    const anyPayee = fc.record({
      residence: fc.constantFrom(null, 'DE', 'IN', 'FR'),
      form: fc.constantFrom(null, 'none', 'w8ben'),
      expiresOn: fc.constantFrom(null, '2026-02-28', '2026-03-30'),
    });
    const rules = fc.uniqueArray(anyRule, { maxLength: 20, selector: keyOf });
    const month = fc.constantFrom('2025-12', '2026-01', '2026-02', '2026-03', '2026-05');
    fc.assert(
      fc.property(rules, anyPayee, month, (all, fields, of) => {
        const hasForm =
          fields.form === 'w8ben' &&
          (fields.expiresOn === null || fields.expiresOn >= lastDayOf(of));
        const best = [fields.residence, null]
          .flatMap((country) => [true, false].map((form) => [country, form] as const))
          .filter(([, form]) => hasForm || !form)
          .flatMap(([country, form]) =>
            ['2026-03', '2026-02', '2026-01'].map((start) =>
              all.find(
                (each) =>
                  each.sourceTerritory === 'US' &&
                  each.incomeType === 'royalty' &&
                  each.payeeCountry === country &&
                  each.requiresForm === form &&
                  each.validFrom === start &&
                  start <= of &&
                  of <= (each.validTo ?? '9999-12'),
              ),
            ),
          )
          .find((each) => each !== undefined);
        assert.equal(rateOf(all, payee(fields), of), best?.basisPoints ?? 0);
      }),
      { numRuns: 500 },
    );
  });
});
