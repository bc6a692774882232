/** An answer that is no success, as an error. */

import type { ApiError as ErrorEnvelope } from '../generated/schema.ts';
import { type ApiError, errorOf, type Refusal } from './errors.ts';
import { retryAfterOf } from './retry.ts';

/** RFC 6749 §5.2: what the token endpoint says. */
type OAuthRefusal = { readonly error: string; readonly error_description?: string };

export async function readRefusal(response: Response, attempts: number): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const refusal = { status, headers, attempts, retryAfter: retryAfterOf(headers) };
  return errorOf({ ...refusal, ...explanationOf(text, status) });
}

type Explanation = Pick<Refusal, 'message' | 'code' | 'details' | 'docUrl'>;

function explanationOf(text: string, status: number): Explanation {
  const { error, ...rest } = parsed(text) ?? {};
  if (typeof error === 'string') {
    const { error_description: description } = rest as Partial<OAuthRefusal>;
    return { message: description === undefined ? error : `${error}: ${description}` };
  }
  if (typeof error !== 'object' || error === null) return { message: messageOf(status) };
  const { code, message, details, doc_url: docUrl } = error as ErrorEnvelope['error'];
  return { message: message ?? messageOf(status), code, details, docUrl };
}

function messageOf(status: number): string {
  if (status === 304) return 'The resource has not changed.';
  if (status < 400)
    return `The answer is a redirect (${status}), which is not followed. Check baseUrl.`;
  return `The answer has the status ${status}, and says nothing else.`;
}

function parsed(text: string): { readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
