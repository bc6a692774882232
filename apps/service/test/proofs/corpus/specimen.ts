/** One file a partner could upload, what it is declared to be, and what must become of it. */

import type { FailureCode } from '../../../src/assets/domain/asset.ts';

export type Technical = Readonly<Record<string, unknown>>;

type Expected =
  | { readonly status: 'ready'; readonly technical: Technical }
  | { readonly status: 'failed'; readonly code: FailureCode };

export type Specimen = {
  /** Kebab-case, tells what it is. */
  readonly name: string;
  readonly type: 'audio' | 'artwork';
  readonly fileName: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** What the partner declares, where it differs from the truth. */
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

/** The extension stands for the whole declaration; the bytes may be something else. */
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
