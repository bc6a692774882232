/** Where there are no files. */

import { TonearmError } from '../core/errors.ts';

export const blobOfFile = (): Promise<never> =>
  Promise.reject(new TonearmError('This runtime has no files. Upload a Blob, bytes or a stream.'));
