import { S3ServiceException } from '@aws-sdk/client-s3';
import { WrongHostKey } from './transport.ts';

export type ContactFailure =
  | 'unreachable'
  | 'host_key_wrong'
  | 'credentials_refused'
  | 'misconfigured';

/** Why another party's server could not be used: what an operator must do differs. */
export function contactFailureOf(error: unknown): ContactFailure {
  if (error instanceof WrongHostKey) return 'host_key_wrong';
  if (error instanceof S3ServiceException) return ofStatus(error.$metadata.httpStatusCode ?? 0);
  if (!(error instanceof Error)) return 'unreachable';
  // ssh2 names the phase in which a connection failed.
  if ('level' in error && error.level === 'client-authentication') return 'credentials_refused';
  return error.message.startsWith('Cannot parse privateKey') ? 'misconfigured' : 'unreachable';
}

function ofStatus(status: number): ContactFailure {
  if (status === 401 || status === 403) return 'credentials_refused';
  // The bucket does not exist, or is in another region.
  return status === 404 || status === 301 ? 'misconfigured' : 'unreachable';
}
