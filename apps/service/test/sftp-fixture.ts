/** An SFTP server of a test's own, in a temporary folder. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killDaemon } from '../../../scripts/servers/server.ts';
import { sftp, type SftpServer } from '../../../scripts/servers/sftp.ts';

export async function startSftpServer(usualPort: number): Promise<SftpServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-sftp-'));
  const port = usualPort + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const server = sftp({ folder, port });
  if (server === undefined)
    throw new Error('An SFTP server is needed: apt-get install openssh-server');
  // A test that fails does not stop its server, and the next test would find the port taken.
  process.once('exit', () => killDaemon(folder));
  await server.start();
  return server;
}

/** What a client needs; `folder` is below the server's root. */
export const sftpSettings = ({ access }: SftpServer, folder: string) => ({
  host: access.host,
  port: access.port,
  user: access.user,
  hostKey: access.hostKey(),
  privateKey: access.privateKey(),
  folder,
});
