/** Keeps its thread busy for `ms` milliseconds, for tests of the threads that the service starts. */
export function spin(ms: number): string {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return 'done';
}
