/** Creating scenarios with `then`: catalogue §1.2, contract §1, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, fieldsOf } from '../delivery-fixture.ts';
import { openSandboxFixture, type DrivenPartner, type SandboxFixture } from '../sandbox-fixture.ts';

const confirm = { action: 'confirm' };
const path = '/v1/sandbox/scenarios';
const flagLater = { action: 'flag', after: '1d' };
const then = (...later: readonly object[]) => ({ steps: [{ ...confirm, then: later }] });

const refusals: readonly [what: string, body: object, code: string, fields: readonly string[]][] = [
  ['an empty then', then(), 'invalid_field', ['steps[0].then']],
  [
    'six later actions',
    then(...Array.from({ length: 6 }, () => flagLater)),
    'invalid_field',
    ['steps[0].then'],
  ],
  [
    'a later action without its fields',
    then(flagLater, {}),
    'missing_required_field',
    ['steps[0].then[1].action', 'steps[0].then[1].after'],
  ],
  [
    'an unknown later action',
    then({ action: 'confirm', after: '1d' }),
    'invalid_field',
    ['steps[0].then[0].action'],
  ],
  [
    'an unknown field of a later action',
    then({ ...flagLater, url: 'x' }),
    'unknown_field',
    ['steps[0].then[0].url'],
  ],
  [
    'a malformed later duration',
    then(flagLater, { action: 'remove', after: 'soon' }),
    'invalid_field',
    ['steps[0].then[1].after'],
  ],
  [
    'a later action at the same moment',
    then({ action: 'flag', after: '0s' }),
    'invalid_field',
    ['steps[0].then[0].after'],
  ],
  [
    'a long later code',
    then({ ...flagLater, code: 'c'.repeat(101) }),
    'invalid_field',
    ['steps[0].then[0].code'],
  ],
  [
    'a removal with a code and a reason',
    then({ action: 'remove', after: '1d', code: 'c', reason: 'r' }),
    'invalid_field',
    ['steps[0].then[0].code', 'steps[0].then[0].reason'],
  ],
  [
    'a flag after a removal',
    then(flagLater, { action: 'remove', after: '1d' }, flagLater),
    'invalid_field',
    ['steps[0].then[2]'],
  ],
  [
    'then after a rejection',
    { steps: [confirm, { action: 'reject', code: 'c', then: [flagLater] }] },
    'invalid_field',
    ['steps[1].then'],
  ],
  [
    'then for takedowns',
    { ...then(flagLater), message: 'takedown' },
    'invalid_field',
    ['steps[0].then'],
  ],
];

describe('scenarios with then', () => {
  let sandbox: SandboxFixture;
  let partner: DrivenPartner;
  before(async () => {
    sandbox = await openSandboxFixture();
    partner = await sandbox.newPartner();
  });
  after(() => sandbox.close());

  const create = (body: object) => partner.call('POST', '/scenarios', body);

  test('catalogue §1.2: then is stored as it was sent', async () => {
    const later = [
      { action: 'flag', after: '90d', code: 'c'.repeat(100), reason: 'r'.repeat(2_000) },
      { action: 'flag', after: '1s', reason: 'Two\nlines.' },
      { action: 'flag', after: '999999d' },
      { action: 'flag', after: '1h', code: 'x' },
      { action: 'remove', after: '30m' },
    ];
    const steps = [
      { action: 'confirm', then: later },
      { action: 'delay', after: '1d', then: later },
      { action: 'late', then: later, chance: 0.5 },
      { action: 'duplicate', times: 3, then: later },
    ];
    const { json, text, status } = await create({ steps, message: 'update' });
    assert.equal(status, 201, text);
    assert.deepEqual(json.steps, steps);
    assert.deepEqual(await partner.ask('GET', `${path}/${json.id}`), json);
  });

  for (const [what, body, code, fields] of refusals) {
    test(`contract §1, §7: ${what} → 422 ${code}, and nothing is stored`, async () => {
      const earlier = await partner.ask('GET', path);
      const reply = await create(body);
      assert.deepEqual([codeOf(reply), fieldsOf(reply)], [[422, code], fields]);
      assert.deepEqual(await partner.ask('GET', path), earlier);
    });
  }
});
