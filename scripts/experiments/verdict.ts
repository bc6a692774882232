/** A bar is a bound for each figure that is judged. A figure that was not measured misses its bound. */
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

/** The names of the figures that miss their bound. Throws on a bar without bounds, which could never fail. */
export function missed(bar: Bar, figures: Figures): string[] {
  const bounds = Object.entries(bar);
  if (bounds.length === 0) throw new Error('a bar needs at least one bound');
  return bounds.filter(([name, bound]) => !isMet(bound, figures[name])).map(([name]) => name);
}
