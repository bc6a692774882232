import type { OrgId, RequestId } from '../../kernel/ids.ts';

/** Of a body, this many bytes are kept; a longer one is cut. */
export const bodyBytesKept = 16 * 1024;

/** A header by its name in lower case. */
export type KeptHeaders = Readonly<Record<string, string>>;

/** What the request log keeps of a request and its answer, without secrets. */
export type RequestEntry = {
  /** Carries the real time at which the request arrived. */
  readonly id: RequestId;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The path of the operation; null: there was no such path. */
  readonly route: string | null;
  readonly status: number;
  /** Of the error; null: the request succeeded. */
  readonly code: string | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly address: string;
  readonly durationMs: number;
  readonly requestHeaders: KeptHeaders;
  readonly requestBody: string | null;
  /** Of the body as it was sent. */
  readonly requestBytes: number;
  readonly answerHeaders: KeptHeaders;
  readonly answerBody: string | null;
  readonly answerBytes: number;
};

/** The entry of one organization. */
export type OwnedEntry = { readonly orgId: OrgId; readonly entry: RequestEntry };
