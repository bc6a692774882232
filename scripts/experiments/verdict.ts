/** A bar is a bound for each figure that counts. What was not measured did not reach it. */
type Bound =
  | { readonly equals: number }
  | { readonly atLeast: number }
  | { readonly atMost: number };

export type Bar = Readonly<Record<string, Bound>>;

export type Figures = Readonly<Record<string, unknown>>;

function isMet(bound: Bound, figure: unknown): boolean {
  if (typeof figure !== 'number' || Number.isNaN(figure)) return false;
  if ('equals' in bound) return figure === bound.equals;
  return 'atLeast' in bound ? figure >= bound.atLeast : figure <= bound.atMost;
}

/** The figures that miss their bound. A bar without bounds would hold whatever happens: it is refused. */
export function missed(bar: Bar, figures: Figures): string[] {
  const bounds = Object.entries(bar);
  if (bounds.length === 0) throw new Error('a bar needs at least one bound');
  return bounds.filter(([name, bound]) => !isMet(bound, figures[name])).map(([name]) => name);
}
