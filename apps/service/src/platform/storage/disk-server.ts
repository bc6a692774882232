/** Serves the signed URLs of `disk-storage.ts`, in development only. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Disk, Permit } from './disk-storage.ts';

export function createDiskServer(disk: Disk): Server {
  return createServer((request, response) => {
    serve(disk, request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'the file could not be stored or read');
      response.destroy();
    });
  });
}

async function serve(
  disk: Disk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://disk');
  const permit = disk.permitOf(url);
  const isPermitted = permit !== undefined && url.pathname === `/${permit.key}`;
  if (!isPermitted || request.method !== permit.method) {
    return refuse(response, 403, 'the URL was changed, or has expired');
  }
  if (permit.method === 'GET') return sendFile(disk, permit, response);
  const issue = refusePut(permit, request);
  if (issue !== undefined) return refuse(response, 403, issue);
  response.setHeader('etag', await disk.write(permit, request));
  response.end();
}

/** As S3 does, whose signature covers these headers. */
function refusePut(permit: Permit, { headers }: IncomingMessage): string | undefined {
  if (headers['content-length'] !== String(permit.sizeBytes)) {
    return `the body must be ${permit.sizeBytes} bytes long`;
  }
  const isOfType =
    permit.contentType === undefined || headers['content-type'] === permit.contentType;
  return isOfType ? undefined : `the content type must be ${permit.contentType}`;
}

async function sendFile(disk: Disk, { key, fileName }: Permit, response: ServerResponse) {
  const info = await disk.find(key);
  if (info === undefined) return refuse(response, 404, 'there is no such file');
  response.setHeader('content-length', info.sizeBytes);
  response.setHeader(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(fileName ?? '')}`,
  );
  await pipeline(await disk.read(key), response);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(`${message}\n`);
}
