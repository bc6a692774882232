/** What kind of file it is, as far as its name says. */

import { TonearmError } from '../core/errors.ts';
import type { AssetContentType } from '../generated/schema.ts';

const byExtension: Readonly<Record<string, AssetContentType>> = {
  wav: 'audio/wav',
  wave: 'audio/wav',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
};

/** A type that the source itself has is sent as it is: the API says which it takes. */
export function contentTypeOf(ofSource: string | undefined, name: string): AssetContentType {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const type = (ofSource as AssetContentType | undefined) ?? byExtension[extension];
  if (type !== undefined) return type;
  throw new TonearmError(`${name}: say contentType, the name does not tell it.`);
}
