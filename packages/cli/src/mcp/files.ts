/** The folder that --files names: the only one whose files a model can upload. Links that leave it are refused. */

import { realpathSync, statSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve } from 'node:path';
import { isInside } from '../is-inside.ts';
import { ToolRefusal } from './refusal.ts';

type AssetType = 'audio' | 'artwork';

/** Only files of these types can be uploaded: a key or a spreadsheet in the folder stays there. */
const assetTypes: Readonly<Record<string, AssetType>> = {
  '.wav': 'audio',
  '.flac': 'audio',
  '.m4a': 'audio',
  '.jpg': 'artwork',
  '.jpeg': 'artwork',
  '.png': 'artwork',
};
const filesMax = 500;
const depthMax = 6;

export type MediaFile = { readonly path: string; readonly type: AssetType };

const notFound = (path: string) =>
  new ToolRefusal({
    code: 'file_not_found',
    message: `There is no file ${JSON.stringify(path)} in the folder of this server.`,
    cure: 'Call list_files, and send a path as it is listed there.',
  });

export function openFolder(folder: string) {
  const root = realpathSync(folder);
  if (!statSync(root).isDirectory()) throw new Error(`--files ${folder} is not a folder`);

  /** One answer for a missing file and for one outside, so that a model cannot learn what exists elsewhere. */
  const find = async (path: string): Promise<MediaFile> => {
    const asked = resolve(root, path);
    if (isAbsolute(path) || path.includes('\0') || !isInside(root, asked)) throw notFound(path);
    const real = await realpath(asked).catch(() => undefined);
    if (real === undefined || !isInside(root, real) || !(await stat(real)).isFile()) {
      throw notFound(path);
    }
    const type = assetTypes[extname(real).toLowerCase()];
    if (type !== undefined) return { path: real, type };
    throw new ToolRefusal({
      code: 'file_type_not_supported',
      message: `${JSON.stringify(path)} is neither audio nor artwork.`,
      cure: `Send a file that ends in ${Object.keys(assetTypes).join(', ')}.`,
    });
  };

  /** Breadth first, so that a deep folder does not hide the others. Links are not followed. */
  const list = async () => {
    const files: { path: string; type: AssetType; size_bytes: number }[] = [];
    let folders = [root];
    for (let depth = 0; depth < depthMax && folders.length > 0; depth++) {
      const next: string[] = [];
      for (const each of folders) {
        for (const entry of await readdir(each, { withFileTypes: true })) {
          const path = join(each, entry.name);
          const type = assetTypes[extname(entry.name).toLowerCase()];
          if (entry.name.startsWith('.')) continue;
          if (entry.isDirectory()) next.push(path);
          else if (entry.isFile() && type !== undefined) {
            if (files.length === filesMax) return { files, is_complete: false };
            files.push({ path: relative(root, path), type, size_bytes: (await stat(path)).size });
          }
        }
      }
      folders = next;
    }
    return { files, is_complete: folders.length === 0 };
  };

  return { find, list };
}

export type Folder = ReturnType<typeof openFolder>;
