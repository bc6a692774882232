/** Names in documents that the code does not have: `docs/walkthroughs.md` and `docs/glossary.md` must stay true. */

export type Lookup = {
  /** The text of a file below `apps/service/src` or `apps/service`; undefined if there is none. */
  readonly readText: (path: string) => string | undefined;
  /** Whether any file of the code contains this word. */
  readonly hasWord: (word: string) => boolean;
};

/** Each step of a walk is `file:function`. Returns the steps whose file or function does not exist. */
export function brokenSteps(walkthroughs: string, { readText }: Lookup): string[] {
  return [...walkthroughs.matchAll(/^- `([^`:]+):([^`]+)`/gm)].flatMap(
    ([, path = '', name = '']) => {
      const text = readText(path);
      if (text === undefined) return [`${path} does not exist`];
      return new RegExp(`\\b${name}\\b`).test(text) ? [] : [`${path} has no ${name}`];
    },
  );
}

/** The third column of a glossary row names tables and types in backticks. Returns those that the code does not have. */
export function brokenNames(glossary: string, { readText, hasWord }: Lookup): string[] {
  const rows = glossary.split('\n').filter((line) => line.startsWith('| '));
  const names = rows.flatMap((row) => [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)]);
  return names
    .map(([, name = '']) => name)
    .filter((name) => readText(name) === undefined)
    .flatMap((name) => name.match(/[A-Za-z_$][\w$]*/g) ?? [])
    .filter((word) => !hasWord(word));
}
