import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { brokenNames, brokenSteps, type Lookup } from './documents.ts';
import { forbiddenDespiteArrows, reduce } from './import-pictures.ts';
import { pathOf, pictures, withPicture } from './pictures.ts';
import { systemsOf } from './role-picture.ts';
import { namesWithoutSource, startViolations } from './start-walls.ts';
import {
  engineViolations,
  environmentViolations,
  findCycle,
  importViolations,
  purityViolations,
  type Source,
  sqlViolations,
  transactionViolations,
} from './walls.ts';

const root = join(import.meta.dirname, '..', 'src');

const sources: Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the architecture', () => {
  test('there is something to check', () => {
    // A checker that silently sees no files is green forever.
    assert.ok(sources.length > 40, `only ${sources.length} files seen under ${root}`);
    const imports = sources.filter(({ text }) => text.includes('import '));
    assert.ok(imports.length > 40, `only ${imports.length} files with imports`);
  });

  test('every import stays within its room and its slice', () => {
    assert.deepEqual(importViolations(sources), []);
  });

  test('no file imports itself through others, types included', () => {
    assert.equal(findCycle(sources), undefined);
  });

  test('domain rules read no clock, no randomness, no environment, and never wait', () => {
    assert.deepEqual(purityViolations(sources), []);
  });

  test('only config reads the environment', () => {
    assert.deepEqual(environmentViolations(sources), []);
  });

  test('only platform/engine knows the engine', () => {
    assert.deepEqual(engineViolations(sources), []);
    assert.ok(
      sources.some(({ text }) => text.includes('@restatedev/')),
      'platform/engine imports it',
    );
  });

  test('a role starts without the packages that it needs later', () => {
    assert.deepEqual(startViolations(sources), []);
    assert.deepEqual(namesWithoutSource(sources), []);
  });

  test('SQL is written in stores', () => {
    assert.deepEqual(sqlViolations(sources), []);
  });

  test('only the listed files open a transaction, and each of them does', () => {
    assert.deepEqual(transactionViolations(sources), []);
  });
});

describe('the walls report', () => {
  const file = (path: string, text: string): Source => ({ path, text });
  const importing = (from: string, target: string) =>
    importViolations([file(from, `import { x } from '${target}';`)]);

  const breaches: readonly [what: string, from: string, target: string][] = [
    ['a lower slice that uses a higher one', 'catalog/commands/a.ts', '../../delivery/face.ts'],
    ['kernel that uses platform', 'kernel/a.ts', '../platform/db/database.ts'],
    ['platform that uses a slice', 'platform/http/a.ts', '../../identity/face.ts'],
    ['a slice that reaches past a face', 'catalog/commands/a.ts', '../../identity/store/b.ts'],
    ['a rule that uses a store', 'catalog/domain/a.ts', '../store/b.ts'],
    ['a rule that uses platform', 'catalog/domain/a.ts', '../../platform/db/database.ts'],
    ['a rule that imports a package', 'catalog/domain/a.ts', 'node:crypto'],
    ['kernel that imports a package', 'kernel/a.ts', 'uuid'],
    ['a store that uses a command', 'catalog/store/a.ts', '../commands/b.ts'],
    ['a command that uses http', 'catalog/commands/a.ts', '../http/b.ts'],
    ['http that uses a workflow', 'catalog/http/a.ts', '../workflows/b.ts'],
    ['a command that knows HTTP', 'catalog/commands/a.ts', '../../platform/http/answer.ts'],
    ['a room that does not exist', 'catalog/utils/a.ts', '../domain/b.ts'],
  ];
  for (const [what, from, target] of breaches) {
    test(what, () => assert.equal(importing(from, target).length, 1));
  }

  test('a dynamic import, and one that only imports a type', () => {
    const breach = '../../delivery/face.ts';
    const lazy = file('catalog/commands/a.ts', `await import('${breach}');`);
    const typed = file('catalog/commands/b.ts', `import type { X } from "${breach}";`);
    assert.equal(importViolations([lazy, typed]).length, 2);
  });

  test('a cycle over three files', () => {
    const cycle = findCycle([
      file('a/x.ts', `import './y.ts';`),
      file('a/y.ts', `import type { Z } from './z.ts';`),
      file('a/z.ts', `export { x } from './x.ts';`),
    ]);
    assert.equal(cycle, 'a/x.ts → a/y.ts → a/z.ts → a/x.ts');
  });

  for (const line of [
    'new Date()',
    'Date.now()',
    'Math.random()',
    'process.pid',
    'async () => 1',
  ]) {
    test(`a rule with ${line}`, () => {
      assert.equal(purityViolations([file('catalog/domain/a.ts', `const x = ${line};`)]).length, 1);
    });
  }

  test('the environment read outside config', () => {
    const text = 'const port = process.env.PORT;';
    assert.equal(environmentViolations([file('platform/db/a.ts', text)]).length, 1);
    assert.equal(environmentViolations([file('app/worker.ts', text)]).length, 1);
    assert.equal(environmentViolations([file('app/config/api.ts', text)]).length, 0);
  });

  test('a slice that imports the engine', () => {
    const text = `import * as restate from '@restatedev/restate-sdk';`;
    assert.equal(engineViolations([file('catalog/workflows/a.ts', text)]).length, 1);
    assert.equal(engineViolations([file('platform/engine/a.ts', text)]).length, 0);
  });

  test('a package that a role loads as it starts, and not one that it loads later', () => {
    const imported = (line: string) =>
      startViolations([
        file('app/worker.ts', `import { b } from '../delivery/b.ts';`),
        file('delivery/b.ts', line),
      ]);
    assert.equal(imported(`import { Type } from 'typebox';`).length, 1);
    assert.equal(imported(`import { Compile } from 'typebox/compile';`).length, 1);
    assert.equal(imported(`import type { Static } from 'typebox';`).length, 0);
    assert.equal(imported(`const { Type } = await import('typebox');`).length, 0);
  });

  test('SQL outside a store', () => {
    const text = 'tx.query(sql`select 1`);';
    assert.equal(sqlViolations([file('catalog/commands/a.ts', text)]).length, 1);
    assert.equal(sqlViolations([file('catalog/store/a.ts', text)]).length, 0);
  });

  test('a rule that uses more of a lower slice than a type of its face', () => {
    const typed = (target: string) =>
      importViolations([file('catalog/domain/a.ts', `import type { X } from '${target}';`)]);
    assert.equal(importing('catalog/domain/a.ts', '../../assets/face.ts').length, 1);
    assert.equal(typed('../../assets/domain/b.ts').length, 1);
    assert.equal(typed('../../platform/db/database.ts').length, 1);
    assert.equal(typed('../../assets/face.ts').length, 0);
  });

  test('a transaction opened in a file that is not listed, and a listed file that opens none', () => {
    const opening = 'await db.transact(owner, (tx) => change(tx));';
    assert.equal(transactionViolations([file('catalog/commands/a.ts', opening)]).length, 1);
    assert.equal(transactionViolations([file('platform/http/mutation.ts', '')]).length, 1);
    assert.equal(transactionViolations([file('platform/http/mutation.ts', opening)]).length, 0);
  });
});

describe('the pictures in README and CONTRIBUTING', () => {
  for (const picture of pictures) {
    test(`${picture.file} shows the ${picture.name} that the code has`, () => {
      const markdown = readFileSync(pathOf(picture), 'utf8');
      const message = `${picture.file} is out of date: run "npm run pictures" and commit the result`;
      assert.ok(withPicture(markdown, picture) === markdown, message);
    });
  }

  test('a picture is replaced between its two lines, and nothing else is', () => {
    const picture = { name: 'x', file: 'X.md', draw: () => 'new' };
    const line = '<!-- x: written by `npm run pictures` -->';
    const old = `before\n\n${line}\n\nold\n\n<!-- end of x -->\n\nafter\n`;
    assert.equal(withPicture(old, picture), old.replace('old', 'new'));
    assert.throws(() => withPicture('no lines', picture), /X\.md must have the lines/);
  });

  test('an arrow that follows from other arrows is left out', () => {
    const graph = { a: ['b', 'c'], b: ['c'], c: [] };
    assert.deepEqual(reduce(graph), { a: ['b'], b: ['c'], c: [] });
  });

  test('an import that the arrows suggest and the rules forbid is named', () => {
    assert.deepEqual(forbiddenDespiteArrows({ a: ['b'], b: ['c'], c: [] }), [
      '`a` may not import `c`',
    ]);
  });

  test('a role that reads the address of an unknown system is reported', () => {
    assert.deepEqual([...systemsOf(['TONEARM_DATABASE_URL', 'TONEARM_HOST'])], ['postgres']);
    assert.throws(() => systemsOf(['TONEARM_KAFKA_URL']), /add TONEARM_KAFKA_URL/);
  });
});

describe('the documents', () => {
  const repository = join(import.meta.dirname, '..', '..', '..');
  const service = join(repository, 'apps', 'service');
  const read = (...path: string[]) => readFileSync(join(repository, ...path), 'utf8');
  const code = [
    'apps/service/src',
    'apps/service/test',
    'apps/service/migrations',
    'scripts',
    'bench',
  ]
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.(ts|sql)$/.test(path) && !path.includes('node_modules'))
        .map((path) => read(folder, path)),
    )
    .join('\n');
  const words = new Set(code.match(/[A-Za-z_$][\w$]*/g));
  const lookup: Lookup = {
    readText: (path) => {
      const file = [join(root, path), join(service, path), join(repository, path)].find(
        (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
      );
      return file === undefined ? undefined : readFileSync(file, 'utf8');
    },
    hasWord: (word) => words.has(word),
  };

  test('every step of the walkthroughs exists', () => {
    const walkthroughs = read('docs', 'walkthroughs.md');
    assert.deepEqual(brokenSteps(walkthroughs, lookup), []);
    assert.ok(walkthroughs.includes('- `catalog/commands/create-release.ts:createRelease`'));
  });

  test('every table and type of the glossary exists', () => {
    assert.deepEqual(brokenNames(read('docs', 'glossary.md'), lookup), []);
  });

  test('a step and a name that do not exist are noticed', () => {
    const steps = '- `catalog/commands/nothing.ts:a`: x\n- `catalog/face.ts:no-such-function`: y\n';
    assert.equal(brokenSteps(steps, lookup).length, 2);
    // Joined here, because this file is searched too.
    const missing = ['no', 'such', 'table'].join('_');
    const row = `| word | a meaning | \`${missing}\`, \`Release\` | another |\n`;
    assert.deepEqual(brokenNames(row, lookup), [missing]);
  });
});
