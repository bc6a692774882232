/** How many letters must be added, removed or replaced to make one word from the other (Levenshtein). */
export function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of a.split('').entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      current.push(
        Math.min(
          (current[column - 1] ?? 0) + 1,
          (previous[column] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (b[column - 1] === letter ? 0 : 1),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
