import { sep } from 'node:path';

/** Of real paths: a link in either would say nothing. */
export const isInside = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
