/** Small changes of a source file, one at a time: each must make a test fail. */

export type Mutant = {
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
};

/** A word of one list is replaced by the next word of the same list. */
const vocabularies: readonly (readonly string[])[] = [
  [
    'pending',
    'in_progress',
    'delivered',
    'rejected',
    'action_required',
    'takedown_requested',
    'taken_down',
  ],
  ['deliver', 'update', 'takedown'],
  ['queued', 'dispatched', 'sending', 'sent', 'dropped'],
  ['acknowledged', 'removed', 'removal_refused'],
  ['updated', 'update_refused', 'update_flagged', 'inferred', 'overdue'],
  ['takedown_wanted', 'takedown_refused', 'unexpectedly_live', 'canceled', 'closed'],
  ['live', 'ingest', 'none'],
  ['partner', 'operator', 'store'],
  ['receipt', 'silence'],
  ['flagged', 'resubmitted', 'update_requested', 'waiting'],
  ['update_dispatched', 'takedown_dispatched'],
];

const operatorPairs: readonly (readonly [from: string, to: string])[] = [
  ['===', '!=='],
  ['!==', '==='],
  [' && ', ' || '],
  [' || ', ' && '],
  [' ?? ', ' && '],
  [' <= ', ' < '],
  [' >= ', ' > '],
  [' > ', ' >= '],
  ['true', 'false'],
  ['false', 'true'],
];

/** Every occurrence of `from`, replaced by `to`. */
function replacements(line: string, from: string, to: string): readonly string[] {
  const found: string[] = [];
  for (let at = line.indexOf(from); at >= 0; at = line.indexOf(from, at + 1))
    found.push(line.slice(0, at) + to + line.slice(at + from.length));
  return found;
}

const otherWords = (line: string): readonly string[] =>
  vocabularies.flatMap((words) =>
    words.flatMap((word, i) => {
      const next = words[(i + 1) % words.length] ?? word;
      return replacements(line, `'${word}'`, `'${next}'`);
    }),
  );

/** A field of an object, or an argument, on its own line. A field with a type is a parameter. */
const isField = (line: string): boolean =>
  /^\s+(\.\.\.[^;]+|\w+: [^;]+|\w+),$/.test(line) && !/^\s+\w+: (readonly )?[A-Z(]/.test(line);

function withoutPart(line: string): readonly string[] {
  const found: string[] = [];
  if (isField(line)) found.push('');
  const returned = /^(\s+(?:if .*)?return) .+;$/.exec(line);
  if (returned !== null && !line.includes('return undefined;'))
    found.push(`${returned[1]} undefined;`);
  const branch = /^(\s+[?:]) .+?([;,]?)$/.exec(line);
  if (branch !== null && !/^\s+[?:] undefined/.test(line))
    found.push(`${branch[1]} undefined${branch[2]}`);
  if (/^\s+case '/.test(line)) found.push(line.replace(/case '(\w+)'/, "case 'never $1'"));
  for (const match of line.matchAll(/!(?=[a-z(])/g))
    found.push(line.slice(0, match.index) + line.slice(match.index + 1));
  for (const match of line.matchAll(/(?<![\w'])\d[\d_]*(?![\w'])/g)) {
    const more = String(Number(match[0].replaceAll('_', '')) + 1);
    found.push(line.slice(0, match.index) + more + line.slice(match.index + match[0].length));
  }
  return found;
}

/** Lines without code that runs: comments, imports, types, and lists of words, which the type checker guards. */
function isCode(line: string): boolean {
  const isComment = /^\s*(\/?\*|\/\/)/.test(line);
  const isType = /^\s*(export )?type |readonly |^\s+'\w+',$|\] as const;$|: \w+ is /.test(line);
  return !isComment && !isType && line.trim() !== '';
}

export function mutantsOf(source: string): readonly Mutant[] {
  const lines = source.split('\n');
  const codeStart = lines.findLastIndex((line) => /^(import .* from|\} from) '/.test(line)) + 1;
  return lines.flatMap((before, i) => {
    if (i < codeStart || !isCode(before)) return [];
    const [code = '', comment = ''] = before.split(/(?=\s*\/\/ )/);
    const changed = [
      ...operatorPairs.flatMap(([from, to]) => replacements(code, from, to)),
      ...otherWords(code),
      ...withoutPart(code),
    ];
    return [...new Set(changed)].map((after) => ({ line: i + 1, before, after: after + comment }));
  });
}

export const applyMutant = (source: string, { line, after }: Mutant): string =>
  source
    .split('\n')
    .map((each, i) => (i === line - 1 ? after : each))
    .join('\n');
