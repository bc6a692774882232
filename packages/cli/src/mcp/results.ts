/** What a tool answers: JSON as text, without secrets and bounded. Errors are answers too, so that the model reads them. */

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { ConnectionError } from '@tonearm/sdk';
import { boundedJson, boundedPart } from './bounded.ts';
import { ConfirmationNeeded } from './confirmation.ts';
import type { ErrorCodes } from './error-codes.ts';
import { redact } from './redact.ts';
import { ToolRefusal } from './refusal.ts';
import type { Arguments, Tool } from './tool.ts';

const textResult = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

export function answerResult(tool: Tool, args: Arguments, answer: unknown): CallToolResult {
  // Redacted before it is cut: half of a secret must not pass as no secret.
  const safe = redact(answer);
  if (tool.isBounded === true) return textResult(JSON.stringify(safe));
  const { pointer, offset } = args;
  if (tool.kind !== 'read' || typeof pointer !== 'string') return textResult(boundedJson(safe));
  return textResult(
    boundedPart(safe, pointer, typeof offset === 'number' ? Math.max(0, offset) : 0),
  );
}

/** Of the SDK's errors. Other errors have no code. */
type ApiFailure = Error & {
  readonly code?: unknown;
  readonly requestId?: unknown;
  readonly details?: unknown;
};

const errorResult = (error: object): CallToolResult => ({
  ...textResult(boundedJson(redact({ error }))),
  isError: true,
});

export async function failureResult(
  failure: unknown,
  errorCodes: ErrorCodes,
): Promise<CallToolResult> {
  if (failure instanceof ConfirmationNeeded) {
    return textResult(
      JSON.stringify(
        redact({
          status: 'confirmation_required',
          nothing_was_changed: true,
          what_will_happen: failure.message,
          confirmation_token: failure.token,
          next: 'Show what_will_happen to your user word by word. If your user agrees, call the tool again with the same arguments and this confirmation_token.',
        }),
      ),
    );
  }
  if (failure instanceof ToolRefusal) {
    const { code, message, cure } = failure;
    return errorResult({ code, message, cure });
  }
  const { message, code, requestId, details } = failure as ApiFailure;
  if (typeof code !== 'string') {
    const isAway = failure instanceof ConnectionError;
    const cure = isAway ? 'Try again in a moment.' : 'Tell your user what the message says.';
    return errorResult({ code: isAway ? 'connection_failed' : 'call_failed', message, cure });
  }
  return errorResult({
    code,
    message,
    cure: await errorCodes.cureOf(code),
    request_id: requestId ?? null,
    ...(details !== undefined && { details }),
  });
}
