/** An answer that is no success, as an error. */

import type { ApiError as ErrorEnvelope } from '../generated/schema.ts';
import { type ApiError, errorOf, type Refusal } from './errors.ts';
import { retryAfterOf } from './retry.ts';

/** RFC 6749 §5.2: what the token endpoint says. */
type OAuthRefusal = { readonly error: string; readonly error_description?: string };

/** Sentences that are added where they help. */
export type Hints = {
  /** If the answer is not one of the API. */
  readonly address: string;
  /** If it is 401 to a request without credentials. */
  readonly key: string | undefined;
};

export async function readRefusal(
  response: Response,
  attempts: number,
  hints?: Hints,
): Promise<ApiError> {
  const { status, headers } = response;
  const text = await response.text();
  const explanation = explanationOf(text) ?? { message: messageOf(status) };
  const hint = hintOf(status, explanation, hints);
  const message = [explanation.message, hint].filter(Boolean).join(' ');
  const retryAfter = retryAfterOf(headers);
  return errorOf({ status, headers, attempts, retryAfter, ...explanation, message });
}

function hintOf(status: number, { isOfApi }: Explanation, hints: Hints | undefined) {
  if (isOfApi) return status === 401 ? hints?.key : undefined;
  // 304 has no body, and a proxy answers for a service that is away.
  return status === 304 || status >= 500 ? undefined : hints?.address;
}

type Explanation = Pick<Refusal, 'message' | 'code' | 'details' | 'docUrl'> & {
  readonly isOfApi?: true;
};

/** Undefined: the answer is not one of the API. */
function explanationOf(text: string): Explanation | undefined {
  const { error, ...rest } = parsed(text) ?? {};
  if (typeof error === 'string' && error !== '') {
    const { error_description: description } = rest as Partial<OAuthRefusal>;
    return { isOfApi: true, message: [error, description].filter(Boolean).join(': ') };
  }
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, details, doc_url: docUrl } = error as ErrorEnvelope['error'];
  // The type is that of the API; another service may answer anything.
  if (typeof message !== 'string' || message === '') return undefined;
  return { isOfApi: true, message, code, details, docUrl };
}

function messageOf(status: number): string {
  if (status === 304) return 'The resource has not changed.';
  if (status < 400) return `The answer is a redirect (${status}), which is not followed.`;
  return `The answer has the status ${status}, and is not one of the API.`;
}

function parsed(text: string): { readonly error?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
