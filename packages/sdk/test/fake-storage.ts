/**
 * The asset operations of the API together with a storage, over real sockets, with parts of a few bytes. Which PUT fails,
 * and how, is what the test says.
 */

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { givenClient, json, type Received, refusal } from './scripted-server.ts';

export type Fault = 'none' | 'hang up' | 'lost answer' | 503 | 403 | 400;

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

type Options = {
  readonly partSize?: number;
  /** What happens to a PUT of a part, by its number and how often it was sent before. */
  readonly faultOf?: (part: number, before: number) => Fault;
};

export async function givenStorage(t: TestContext, { partSize, faultOf = () => 'none' }: Options) {
  const parts = new Map<number, Buffer>();
  const puts: number[] = [];
  let size = 0;
  let status = 'pending_upload';
  let atOnce = 0;
  let atOnceMax = 0;
  let generation = 1;
  let url = '';

  const asset = () => ({
    id: 'ast_1',
    status,
    size_bytes: size,
    file_name: 'song.wav',
    upload: status === 'pending_upload' ? upload() : null,
  });
  const upload = () => {
    const expiry = { expires_in_seconds: 3600, expires_at: '2030-01-01T00:00:00.000Z' };
    const at = (part: number) => `${url}/storage/${part}?generation=${generation}`;
    if (partSize === undefined) return { url: at(1), method: 'PUT', headers: {}, ...expiry };
    const numbers = Array.from({ length: Math.ceil(size / partSize) }, (_, index) => index + 1);
    return {
      parts: numbers.map((n) => ({ part_number: n, url: at(n) })),
      part_size: partSize,
      ...expiry,
    };
  };

  const receivePart = (response: ServerResponse, { path, body }: Received): void => {
    const part = Number(/\d+/.exec(path)?.[0]);
    const fault = faultOf(part, puts.filter((each) => each === part).length);
    puts.push(part);
    atOnceMax = Math.max(atOnceMax, ++atOnce);
    setTimeout(() => {
      atOnce--;
      if (!path.endsWith(`generation=${generation}`)) response.writeHead(403).end('expired');
      else if (typeof fault === 'number') response.writeHead(fault).end();
      else if (fault === 'hang up') response.destroy();
      else {
        parts.set(part, body);
        if (fault === 'lost answer') response.destroy();
        else response.writeHead(200, { etag: etagOf(body) }).end();
      }
    }, 5);
  };

  const complete = (response: ServerResponse, request: Received): void => {
    const listed = (
      JSON.parse(request.body.toString()) as { parts?: { part_number: number; etag: string }[] }
    ).parts;
    const wrong = (listed ?? []).flatMap(({ part_number: part, etag }, index) => {
      const stored = parts.get(part);
      if (stored === undefined) return [{ field: `parts[${index}].part_number`, issue: 'missing' }];
      return etagOf(stored) === etag ? [] : [{ field: `parts[${index}].etag`, issue: 'other' }];
    });
    if (wrong.length > 0)
      json(422, { error: { code: 'invalid_field', message: 'x', details: wrong } })(
        response,
        request,
      );
    else {
      status = 'processing';
      json(200, asset())(response, request);
    }
  };

  const handle = (response: ServerResponse, request: Received): void => {
    if (request.path.startsWith('/storage/')) receivePart(response, request);
    else if (request.path === '/v1/assets') {
      size = (JSON.parse(request.body.toString()) as { size_bytes: number }).size_bytes;
      json(201, asset())(response, request);
    } else if (request.path === '/v1/assets/ast_1') json(200, asset())(response, request);
    else if (request.path.endsWith('/complete')) complete(response, request);
    else refusal(404, 'route_not_found')(response, request);
  };
  const client = await givenClient(t, [handle]);
  url = client.tonearm.baseUrl;
  return {
    ...client,
    puts,
    parts,
    /** The file as the storage would join it. */
    stored: () => Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes)),
    atOnceMax: () => atOnceMax,
    expireUrls: () => void generation++,
  };
}
