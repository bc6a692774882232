/**
 * The parts of README.md, CONTRIBUTING.md and the manual that are written from the code. Each is between two comments, and
 * `npm run pictures` rewrites it; `architecture.test.ts` fails where a file shows something else.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawAdminCommands } from './admin-table.ts';
import { drawRooms, drawSlices } from './import-pictures.ts';
import { drawReview } from './review-picture.ts';
import { drawRoles } from './role-picture.ts';

const root = join(import.meta.dirname, '..', '..', '..');

type Picture = { readonly name: string; readonly file: string; readonly draw: () => string };

export const pictures: readonly Picture[] = [
  { name: 'badges', file: 'README.md', draw: drawBadges },
  { name: 'roles', file: 'README.md', draw: drawRoles },
  { name: 'slices', file: 'CONTRIBUTING.md', draw: drawSlices },
  { name: 'rooms', file: 'CONTRIBUTING.md', draw: drawRooms },
  { name: 'review', file: 'docs/operating.md', draw: drawReview },
  { name: 'commands', file: 'docs/operating.md', draw: drawAdminCommands },
];

export const pathOf = ({ file }: Picture): string => join(root, file);

/** Between dashes a badge's address separates its words, so a dash of a word is doubled. */
const badge = (name: string, value: string, link: string) =>
  `[![${name}: ${value}](https://img.shields.io/badge/${name}-${encodeURIComponent(value.replaceAll('-', '--'))}-blue)](${link})`;

function drawBadges(): string {
  const { license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    license: string;
    engines: { node: string };
  };
  const workflow = '../../actions/workflows/ci.yml';
  return [
    `[![CI](${workflow}/badge.svg)](${workflow})`,
    badge('license', license, 'LICENSE'),
    badge('node', engines.node, '.nvmrc'),
  ].join('\n');
}

/** The Markdown with the picture drawn from the code as it is now. */
export function withPicture(markdown: string, { name, file, draw }: Picture): string {
  const begin = `<!-- ${name}: written by \`npm run pictures\` -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest = ''] = markdown.split(begin);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined) {
    throw new Error(`${file} must have the lines "${begin}" and "${end}"`);
  }
  return `${before}${begin}\n\n${draw()}\n\n${end}${after}`;
}
