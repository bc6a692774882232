/** Keeps its thread busy for `ms` milliseconds, for tests of the threads that the service starts. */
export function spin(ms: number): string {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return 'done';
}

/** Keeps so many megabytes of objects. */
export function allocate(megabytes: number): number {
  const kept: number[][] = [];
  // An array of small integers takes 8 bytes for each.
  while (kept.length < megabytes) kept.push(Array.from({ length: 131_072 }, (_, i) => i));
  return kept.length;
}
