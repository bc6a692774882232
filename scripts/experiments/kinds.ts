/** The two kinds of experiments, and where their files are. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../servers/server.ts';
import type { Size } from './experiment.ts';

export type Kind = {
  readonly name: 'prove' | 'bench';
  readonly folder: string;
  readonly sizes: Readonly<Record<string, Size>>;
  readonly usualSize: Size;
};

export const proofs: Kind = {
  name: 'prove',
  folder: join(root, 'apps/service/test/proofs'),
  sizes: { '--start': 'start', '--full': 'full' },
  usualSize: 'small',
};

export const benches: Kind = {
  name: 'bench',
  folder: join(root, 'bench'),
  sizes: { '--start': 'start', '--small': 'small' },
  usualSize: 'full',
};

export const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .map((file) => /^([a-z-]+)\.experiment\.ts$/.exec(file)?.[1])
    .filter((name) => name !== undefined);

/** `prove relay`, `bench api` … */
export const everyExperiment = (): string[] =>
  [proofs, benches].flatMap(({ name, folder }) => namesIn(folder).map((own) => `${name} ${own}`));
