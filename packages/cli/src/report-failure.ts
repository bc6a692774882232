/** How a failure is printed: `code: message (request req_…)` on standard error, every detail, and what to do next. */

import {
  ApiError,
  ConnectionError,
  TonearmError,
  UploadError,
  WaitTimeoutError,
} from '@tonearm/sdk';
import { CommanderError } from 'commander';
import { Failure, exitCodes } from './failure.ts';
import { safeText } from './output/safe-text.ts';

type Report = { readonly exitCode: number; readonly lines: readonly string[] };

/** What the command line itself can do about a code. The page of the code has more. */
const nextByCode: Readonly<Record<string, string>> = {
  authentication_required: 'tonearm login',
  invalid_credentials: 'tonearm login',
  token_expired: 'tonearm login',
  insufficient_scope: 'use a key with the scope that is named: tonearm login --profile NAME',
  organization_suspended: 'write to support',
  asset_not_ready: 'tonearm assets wait ID',
  release_not_submittable: 'tonearm releases validate ID',
  internal_error: 'try again; if it stays, send the request id to support',
  service_unavailable: 'try again in a minute',
};

function apiReport(error: ApiError): Report {
  const code = error.code ?? `http_${error.status}`;
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`;
  const next = nextByCode[code];
  return {
    exitCode: exitCodes.api,
    lines: [
      `${code}: ${error.message}${request}`,
      // The first detail is the message itself if it is the only one.
      ...(error.details.length > 1
        ? error.details.map(({ field, issue }) => `  ${field}: ${issue}`)
        : []),
      ...(next === undefined ? [] : [`Next: ${next}`]),
      ...(error.docUrl === undefined ? [] : [`More: ${error.docUrl}`]),
    ],
  };
}

function reportOf(error: unknown): Report {
  if (error instanceof Failure) {
    const next = error.next.map((each) => `Next: ${each}`);
    return { exitCode: exitCodes[error.kind], lines: [`${error.code}: ${error.message}`, ...next] };
  }
  if (error instanceof ApiError) return apiReport(error);
  if (error instanceof ConnectionError) {
    return {
      exitCode: exitCodes.api,
      lines: [`connection_failed: ${error.message}`, 'Next: tonearm doctor'],
    };
  }
  if (error instanceof WaitTimeoutError) {
    return { exitCode: exitCodes.waitTimeout, lines: [`wait_timeout: ${error.message}`] };
  }
  if (error instanceof TonearmError) {
    const code = error instanceof UploadError ? 'upload_failed' : 'failed';
    return { exitCode: exitCodes.api, lines: [`${code}: ${error.message}`] };
  }
  // Commander has printed its message.
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, lines: [] };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return { exitCode: exitCodes.interrupted, lines: [] };
  }
  throw error;
}

/** Returns the exit status. What it does not know is a defect of this program, and is thrown with its stack. */
export function reportFailure(error: unknown): number {
  const { exitCode, lines } = reportOf(error);
  for (const line of lines) process.stderr.write(`${safeText(line)}\n`);
  return exitCode;
}
