/** One file that a partner could upload, its declaration, and its expected result. */

import type { FailureCode } from '../../../src/assets/domain/asset.ts';

export type Technical = Readonly<Record<string, unknown>>;

type Expected =
  | { readonly status: 'ready'; readonly technical: Technical }
  | { readonly status: 'failed'; readonly code: FailureCode };

export type Specimen = {
  /** Describes the file, in kebab-case. */
  readonly name: string;
  readonly type: 'audio' | 'artwork';
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The declared values that differ from the bytes. */
  readonly declared?: { readonly sizeBytes?: number; readonly sha256?: string };
  readonly expected: Expected;
};

const declarations = {
  wav: { type: 'audio', contentType: 'audio/wav' },
  flac: { type: 'audio', contentType: 'audio/flac' },
  m4a: { type: 'audio', contentType: 'audio/mp4' },
  jpg: { type: 'artwork', contentType: 'image/jpeg' },
  png: { type: 'artwork', contentType: 'image/png' },
} as const;

/** The extension selects type and content type of the declaration; the bytes may be of another type. */
export type DeclaredAs = keyof typeof declarations;

function specimen(name: string, as: DeclaredAs, bytes: Buffer, expected: Expected): Specimen {
  return { name, fileName: `${name}.${as}`, ...declarations[as], bytes, expected };
}

export function ready(name: string, as: DeclaredAs, bytes: Buffer, technical: Technical): Specimen {
  return specimen(name, as, bytes, { status: 'ready', technical });
}

export function refused(name: string, as: DeclaredAs, bytes: Buffer, code: FailureCode): Specimen {
  return specimen(name, as, bytes, { status: 'failed', code });
}
