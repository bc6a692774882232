/** More than the titles and names of the largest release; with 500 characters each, a few megabytes. */
const textsMax = 16_384;

/**
 * Caches the results of a function of text: every rule parses the same titles, and each fix is verified by every rule
 * that reads the fields it changes. A full cache is cleared, so that no text stays in memory forever.
 */
export function memoizeByText<Result>(compute: (text: string) => Result): (text: string) => Result {
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
