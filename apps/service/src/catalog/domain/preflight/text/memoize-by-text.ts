/** More than the titles and names of the largest release; texts of 500 characters, so a few megabytes at most. */
const textsMax = 16_384;

/**
 * A function of text that remembers its results. Every rule takes the same titles apart, and each fix is verified by
 * every rule that looks at what it touches. All results are dropped when there are too many: no text stays for good.
 */
export function memoizeByText<Result>(of: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = of(text);
    if (results.size === textsMax) results.clear();
    results.set(text, result);
    return result;
  };
}
