/** Keeps its thread busy for so many milliseconds. */
export function spin(ms: number): string {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return 'done';
}
