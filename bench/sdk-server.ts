/** The server of the bench `sdk`: answers every request with the release of the API reference, and does nothing else. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { root } from '../scripts/servers/server.ts';

type Document = {
  readonly paths: {
    readonly '/v1/releases': {
      readonly post: {
        readonly responses: {
          readonly '201': {
            readonly content: { readonly 'application/json': { example: object } };
          };
        };
      };
    };
  };
};

const document = JSON.parse(readFileSync(join(root, 'openapi/openapi.json'), 'utf8')) as Document;
const { responses } = document.paths['/v1/releases'].post;
const body = Buffer.from(JSON.stringify(responses['201'].content['application/json'].example));

createServer((request, response) => {
  request.resume();
  request.on('end', () =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      .end(body),
  );
}).listen(Number(process.argv[2]), '127.0.0.1');
