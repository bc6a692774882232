/** The path of a field in dot notation (spec §7): `artists[0].name`. */
const shownNameMax = 200;

/** Of a JSON pointer: `/artists/0/name`. */
export const fieldOf = (pointer: string): string =>
  fieldAt(
    pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  );

export const fieldAt = (names: readonly string[]): string =>
  names.reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : join(path, name)), '');

export function join(path: string, name: string): string {
  const shown = name.slice(0, shownNameMax);
  if (shown === '') return path;
  return path === '' ? shown : `${path}.${shown}`;
}
