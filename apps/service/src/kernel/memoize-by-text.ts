/** More than the titles and names of the largest release; with 500 characters each, a few megabytes. */
const textsMaxDefault = 16_384;

/** Caches the results of a function of text. A full cache is cleared, so that no text stays in memory forever. */
export function memoizeByText<Result>(
  compute: (text: string) => Result,
  textsMax = textsMaxDefault,
): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size === textsMax) results.clear();
    results.set(text, result);
    return result;
  };
}
