/** What every tool of the MCP server has, whether it stands for one operation or for several. */

import type { JsonSchema } from './operation.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export type ToolContext = {
  readonly signal: AbortSignal;
  /** Shown by clients that asked for progress. */
  readonly onProgress: (progress: number, total: number, message: string) => void;
};

/** `confirmed`: a write that a person must confirm, always or with some arguments. */
export type ToolKind = 'read' | 'write' | 'confirmed';

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly group: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly kind: ToolKind;
  readonly isRepeatable: boolean;
  /** Its answers are small, or it cuts them itself. */
  readonly isBounded?: true;
  readonly run: (args: Arguments, context: ToolContext) => Promise<unknown>;
  /** What will happen, for the person who confirms it. Undefined: this call needs no confirmation. Only of the kind `confirmed`. */
  readonly describeEffect?: (args: Arguments) => Promise<string | undefined>;
};

/** Reads everything through one function: tests and tools need no more of the SDK. */
export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query?: Arguments;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

export type CallApi = (request: ApiRequest) => Promise<unknown>;
