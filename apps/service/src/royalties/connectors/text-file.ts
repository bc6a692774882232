import { closeSync, openSync, writeFileSync } from 'node:fs';

const bufferedCharacters = 64 * 1024;

export type TextFile = { readonly write: (text: string) => void; readonly close: () => void };

/** A new file of many short texts. Writes while the process waits: it belongs to one task only. */
export function createTextFile(path: string): TextFile {
  const file = openSync(path, 'w');
  let buffered = '';
  const flush = () => {
    writeFileSync(file, buffered);
    buffered = '';
  };
  return {
    write: (text) => {
      buffered += text;
      if (buffered.length > bufferedCharacters) flush();
    },
    close: () => {
      flush();
      closeSync(file);
    },
  };
}
