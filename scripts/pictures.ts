/** `npm run pictures`: rewrites the parts of README.md, CONTRIBUTING.md and the manual that are drawn from the code. */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathOf, pictures, withPicture } from '../apps/service/test/pictures.ts';

for (const picture of pictures) {
  const path = pathOf(picture);
  const markdown = readFileSync(path, 'utf8');
  const drawn = withPicture(markdown, picture);
  if (drawn !== markdown) writeFileSync(path, drawn);
  console.log(`${picture.file}: ${picture.name} ${drawn === markdown ? 'unchanged' : 'rewritten'}`);
}
