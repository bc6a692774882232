/** Everything that is wrong with the guides is reported at once: one line each, with file and line. */

export type Complain = (where: { file: string; line: number }, what: string) => void;

export class GuidesError extends Error {
  override readonly name = 'GuidesError';
}

export type Complaints = { readonly complain: Complain; readonly throwIfAny: () => void };

export function collectComplaints(): Complaints {
  const found: string[] = [];
  return {
    complain: ({ file, line }, what) => found.push(`${file}:${line} ${what}`),
    throwIfAny: () => {
      if (found.length === 0) return;
      throw new GuidesError(
        `The guides have ${found.length} mistake(s):\n${[...new Set(found)].join('\n')}`,
      );
    },
  };
}
