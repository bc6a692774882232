/** GS1 mod 10: weights 3,1,3,1… starting at the digit left of the check digit. */
export function gs1CheckDigit(body: string): number {
  const sum = Array.from(body, Number)
    .toReversed()
    .reduce((total, digit, i) => total + digit * (i % 2 === 0 ? 3 : 1), 0);
  return (10 - (sum % 10)) % 10;
}
