/** What `npm run mutants` changes, and what it leaves alone because it is not code that runs. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyMutant, mutantsOf } from './operators.ts';

const mutatedLines = (...lines: readonly string[]): readonly string[] =>
  mutantsOf(lines.join('\n')).map(({ after }) => after.trim());

test('conditions are turned round, words replaced, fields and returned values removed', () => {
  assert.deepEqual(mutatedLines("  if (status === 'rejected' && !isLive) return step;"), [
    "if (status !== 'rejected' && !isLive) return step;",
    "if (status === 'rejected' || !isLive) return step;",
    "if (status === 'action_required' && !isLive) return step;",
    "if (status === 'rejected' && !isLive) return undefined;",
    "if (status === 'rejected' && isLive) return step;",
  ]);
  assert.deepEqual(mutatedLines("    liveBasis: 'store',"), ["liveBasis: 'partner',", '']);
  assert.deepEqual(mutatedLines('    ...noDeadline,'), ['']);
  assert.deepEqual(mutatedLines('  return expectedBy <= now ? 72 : due;'), [
    'return expectedBy < now ? 72 : due;',
    'return undefined;',
    'return expectedBy <= now ? 73 : due;',
  ]);
  assert.deepEqual(mutatedLines('      ? undefined', "      : step('sent');"), [
    ": step('dropped');",
    ': undefined;',
  ]);
});

test('comments, imports, types, parameters and lists of words stay', () => {
  assert.deepEqual(
    mutatedLines(
      '/** A status === pending. */',
      "import { a } from './pending.ts';",
      '// Never true.',
      "export type Status = 'pending' | 'sent';",
      "  readonly kind: 'deliver' | 'update';",
      '  storeDelivery: StoreDelivery,',
      "  'pending',",
      "export const liveBases = ['store', 'inferred'] as const;",
    ),
    [],
  );
});

test('a mutant changes one line', () => {
  const source = "const a = 1;\nconst b = 'sent';\n";
  const [first, second] = mutantsOf(source);
  assert.ok(first && second);
  assert.equal(applyMutant(source, first), "const a = 2;\nconst b = 'sent';\n");
  assert.equal(applyMutant(source, second), "const a = 1;\nconst b = 'dropped';\n");
});
