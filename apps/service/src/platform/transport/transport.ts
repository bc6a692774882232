/**
 * Files at another party's server, by their paths below the folder or prefix that we were given there. A file is
 * visible under its name only as a whole: a reader never sees half of one.
 */

import type { Readable } from 'node:stream';

/** What a file must contain. It is opened again for each attempt. */
export type FileContent = {
  readonly open: () => Promise<Readable>;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
};

export type RemoteFile = { readonly name: string; readonly sizeBytes: number };

export type Transport = {
  /** Replaces a file of the same name. Rejects with `WrongContent` if the source is not what it should be. */
  readonly put: (path: string, content: FileContent) => Promise<void>;
  readonly find: (path: string) => Promise<{ readonly sizeBytes: number } | undefined>;
  /** The files (not the folders) in a folder, by name; the first `max` of them. Empty if there is no such folder. */
  readonly list: (folder: string, max: number) => Promise<readonly RemoteFile[]>;
  /** Rejects if the file is larger than `bytesMax`. */
  readonly read: (path: string, bytesMax: number) => Promise<Buffer>;
  /** Does nothing if there is no such file. */
  readonly remove: (path: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The source has other bytes than were announced: a retry would send the same. */
export class WrongContent extends Error {
  override readonly name = 'WrongContent';
}

/** The server is not the one whose key we were given. Nothing was sent to it, not even our user name. */
export class WrongHostKey extends Error {
  override readonly name = 'WrongHostKey';
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** `a/b/c.xml` → `a`, `a/b`. */
export const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, i, names) => names.slice(0, i + 1).join('/'));
