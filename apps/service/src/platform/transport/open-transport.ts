import { openS3Transport, type S3TransportSettings } from './s3-transport.ts';
import type { SftpSettings } from './sftp-session.ts';
import { openSftpTransport } from './sftp-transport.ts';
import type { Transport } from './transport.ts';

export type TransportSettings =
  | ({ readonly kind: 'sftp' } & SftpSettings)
  | ({ readonly kind: 's3' } & S3TransportSettings);

/** The signal ends every call that is under way. */
export const openTransport = async (
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<Transport> =>
  settings.kind === 'sftp'
    ? openSftpTransport(settings, signal)
    : openS3Transport(settings, signal);
