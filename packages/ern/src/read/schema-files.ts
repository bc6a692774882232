/**
 * Gives libxml2 the files of one directory while a schema is compiled, and nothing at any other time. libxml2 asks for
 * files by name from a table that the whole process shares, also when a message under validation names a
 * `schemaLocation`: the provider answers only to names of its own scheme, and only during {@link withSchemaFiles}.
 */

import { readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { closeBuffer, openBuffer, readBuffer, xmlRegisterInputProvider } from 'libxml2-wasm';

/** A schema is read from a directory that the operator chose: the limit only stops a mistake. */
const schemaBytesMax = 16 * 1024 * 1024;

/** A path of several steps, because relative references resolve only inside a hierarchy. */
const scheme = 'ern-schema:///';

let openDirectory: string | undefined;
let isRegistered = false;

/** The name under which libxml2 knows a file of the directory. */
export function schemaUrl(path: string): string {
  return `${scheme}${path}`;
}

/** Runs `compile` while the files of `directory` can be opened. It must not wait: nothing else may run meanwhile. */
export function withSchemaFiles<T>(directory: string, compile: () => T): T {
  register();
  openDirectory = directory;
  try {
    return compile();
  } finally {
    openDirectory = undefined;
  }
}

/** Reads a file of the directory; a link or `..` that leads out of it is refused. */
export function readSchemaFile(directory: string, path: string): Uint8Array {
  const root = realpathSync(directory);
  const file = realpathSync(join(root, path));
  if (!file.startsWith(root + sep)) {
    throw new Error(`The schema file ${path} is outside of ${directory}.`);
  }
  const bytes = readFileSync(file);
  if (bytes.length > schemaBytesMax) {
    throw new Error(`The schema file ${path} has more than ${schemaBytesMax} bytes.`);
  }
  return bytes;
}

function register(): void {
  if (isRegistered) {
    return;
  }
  isRegistered = xmlRegisterInputProvider({
    match: (name) => openDirectory !== undefined && name.startsWith(scheme),
    open: openSchemaFile,
    read: readBuffer,
    close: (descriptor) => {
      closeBuffer(descriptor);
      return true;
    },
  });
}

function openSchemaFile(name: string): number | undefined {
  if (openDirectory === undefined) {
    return undefined;
  }
  try {
    return openBuffer(readSchemaFile(openDirectory, name.slice(scheme.length)));
  } catch {
    // libxml2 reports the file that it could not load, with the place of the reference.
    return undefined;
  }
}
