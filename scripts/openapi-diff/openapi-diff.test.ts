/** Contract §10: a breaking change of the OpenAPI document is found, and an addition is not one (spec §9). */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { DeprecatedFeature } from '../../apps/service/src/kernel/deprecation.ts';
import { root } from '../servers/server.ts';
import { refuseBreach } from './allowed.ts';
import { type Breach, breachKinds } from './breach.ts';
import { compareDocuments, type Document } from './document.ts';
import { isStatedRule, statedRules } from './stated-rules.ts';
import { additions, answer, breaches, type Json, schemasOf } from './test-edits.ts';

const text = await readFile(join(root, 'openapi/openapi.json'), 'utf8');
const original = (): Json => JSON.parse(text);
const edited = (edit: (document: Json) => void): Document => {
  const document = original();
  edit(document);
  return document;
};
const breachesOf = (edit: (document: Json) => void) => compareDocuments(original(), edited(edit));

describe('contract §10: breaking changes of the OpenAPI document', () => {
  for (const [what, kind, at, edit] of breaches) {
    test(`${kind}: ${what}`, () => {
      const found = breachesOf(edit);
      assert.ok(
        found.some((breach) => breach.kind === kind && breach.at === at),
        JSON.stringify(found.slice(0, 5)),
      );
    });
  }

  test('every kind of breach has a case', () => {
    const covered = new Set(breaches.map(([, kind]) => kind));
    assert.deepEqual(
      breachKinds.filter((kind) => !covered.has(kind)),
      [],
    );
  });

  for (const [what, edit] of additions) {
    test(`spec §9.2: not a breaking change: ${what}`, () => {
      assert.deepEqual(breachesOf(edit), []);
    });
  }
});

describe('spec §9.3: a breach needs a deprecation', () => {
  const breach = { kind: 'field_removed', at: 'GET /v1/x 200 old', issue: 'is gone' } as const;
  const feature: DeprecatedFeature = {
    description: 'old of x.',
    deprecatedOn: '2026-01-01',
    sunsetOn: '2026-04-01',
    successor: '/v1/x',
    covers: ['GET /v1/x 200 old'],
  };
  const sunset = new Date('2026-04-01T00:00:00Z');
  const refusalOf = (changes: Partial<DeprecatedFeature>, now = sunset) =>
    refuseBreach(breach, [{ ...feature, ...changes }], now);

  test('that covers it, or what contains it', () => {
    assert.equal(refuseBreach(breach, [], sunset), 'no deprecated feature covers it');
    assert.equal(refusalOf({}), undefined);
    assert.equal(refusalOf({ covers: ['GET /v1/x 200'] }), undefined);
    assert.match(refusalOf({ covers: ['GET /v1/x 200 ol'] }) ?? '', /no deprecated feature/);
  });

  test('that was announced at least 90 days before its sunset', () => {
    assert.match(refusalOf({ deprecatedOn: '2026-01-02' }) ?? '', /less than 90 days/);
  });

  test('whose sunset has passed', () => {
    assert.equal(refusalOf({}, new Date(sunset.getTime() - 1)), 'its sunset is on 2026-04-01');
  });
});

describe('rules that the service enforced before the document stated them', () => {
  const at = 'POST /v1/x body kind';
  const rules = [{ kind: 'value_removed', at }] as const;
  const isStated = (breach: Partial<Breach>) =>
    isStatedRule({ kind: 'value_removed', at, issue: 'accepts only a', ...breach }, rules);

  test('are no breaches: exactly this kind at exactly this place', () => {
    assert.equal(isStated({}), true);
    assert.equal(isStated({ kind: 'type_changed' }), false);
    assert.equal(isStated({ at: `${at} inner` }), false);
  });

  test('have a contract test each, and the document has each of them', async () => {
    const released = JSON.parse(await readFile(join(root, 'openapi/released.json'), 'utf8'));
    const found = compareDocuments(released, original());
    for (const rule of statedRules) {
      await readFile(join(root, 'apps/service/test/contract', rule.shownBy));
      assert.ok(
        found.some((breach) => isStatedRule(breach, [rule])),
        `${rule.at} is not stated, or was released: remove its entry`,
      );
    }
  });
});

describe('npm run openapi:diff', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  });
  after(() => rm(folder, { recursive: true }));

  const run = async (edit: (document: Json) => void): Promise<{ code: number; output: string }> => {
    const files = [join(folder, 'old.json'), join(folder, 'new.json')];
    await writeFile(files[0] ?? '', text);
    await writeFile(files[1] ?? '', JSON.stringify(edited(edit)));
    const command = [join(root, 'scripts/openapi-diff.ts'), ...files];
    return promisify(execFile)(process.execPath, command).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      ({ code, stdout }) => ({ code, output: stdout }),
    );
  };

  test('exits with 1 and names the breach', async () => {
    const { code, output } = await run((d) => delete answer(d).properties.title);
    assert.equal(code, 1);
    assert.match(output, /field_removed: GET \/v1\/releases\/\{release_id\} 200 title is gone/);
  });

  test('a breach that was deprecated in time is allowed: status in PATCH', async () => {
    const { code, output } = await run((d) => delete schemasOf(d).UpdateRelease.properties.status);
    assert.equal(code, 0, output);
    assert.match(output, /deprecated in time/);
  });
});
