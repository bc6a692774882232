/**
 * Serves the signed URLs of `disk-storage.ts`, in development only. A refused PUT is answered, and its body is read to
 * the end and dropped: a connection that is closed while the client sends looks to it like a network failure, and many
 * clients read the answer only after their last byte.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { minuteMs } from '../../kernel/duration.ts';
import { rangeOf } from './byte-range.ts';
import type { Disk, Permit } from './disk-storage.ts';

/** Limits how long a body is read, also one that was refused. */
const requestTimeout = 5 * minuteMs;

export function createDiskServer(disk: Disk): Server {
  return createServer({ requestTimeout }, (request, response) => {
    serve(disk, request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The file could not be stored or read.');
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
  const isSigned = permit !== undefined && url.pathname === `/${permit.key}`;
  if (!isSigned || request.method !== permit.method) {
    const issue = 'The signature is not for this method and path. Use the URL as you received it.';
    return refuse(response, 403, issue);
  }
  if (disk.hasExpired(permit)) {
    return refuse(response, 403, 'The URL has expired. GET the asset for a new one.');
  }
  if (permit.method === 'GET') return sendFile(disk, permit, request.headers.range, response);
  const issue = describeWrongHeader(permit, request);
  if (issue !== undefined) return refuse(response, 403, issue);
  response.setHeader('etag', await disk.write(permit, request));
  response.end();
}

/** As S3 does, whose signature covers these headers. */
function describeWrongHeader(permit: Permit, { headers }: IncomingMessage): string | undefined {
  const { 'content-length': length = 'missing', 'content-type': type = 'missing' } = headers;
  const { sizeBytes, contentType = type } = permit;
  if (length !== String(sizeBytes)) return `Content-Length must be ${sizeBytes}, not ${length}.`;
  return type === contentType ? undefined : `Content-Type must be ${contentType}, not ${type}.`;
}

async function sendFile(
  disk: Disk,
  { key, fileName }: Permit,
  rangeHeader: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const info = await disk.find(key);
  if (info === undefined) return refuse(response, 404, 'There is no such file.');
  const range = rangeOf(rangeHeader, info.sizeBytes);
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${info.sizeBytes}`);
    return refuse(response, 416, `The file has ${info.sizeBytes} bytes.`);
  }
  if (range !== undefined) {
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${range.start}-${range.end}/${info.sizeBytes}`);
  }
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader(
    'content-length',
    range === undefined ? info.sizeBytes : range.end - range.start + 1,
  );
  response.setHeader(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(fileName ?? '')}`,
  );
  await pipeline(disk.open(key, range), response);
}

/** Does not close the connection: Node then drops the rest of the body as it arrives. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain');
  response.end(`${message}\n`);
}
