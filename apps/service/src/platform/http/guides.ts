/** `/docs/guides`, `/llms.txt` and `/llms-full.txt`: static files, rendered before the api starts. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problem.ts';
import type { Server } from './fastify-types.ts';
import { type GuideFile, originPlaceholder } from './rendered-guides.ts';
import { createStaticAnswer, type StaticAnswer } from './static-answer.ts';

/** Everything comes from this server, and nothing is inline. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const cacheControl: Readonly<Record<GuideFile['cache'], string>> = {
  short: 'public, max-age=300',
  forever: 'public, max-age=31536000, immutable',
};

/** Of an answer that may contain the Host header of its client: no cache gives it to another client. */
export const ownCacheControl = 'private, max-age=300';

const guidesPath = '/docs/guides';

export function guidesRoutes(server: Server, files: ReadonlyMap<string, GuideFile>): void {
  const answerOf = createAnswers();
  const answer = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = files.get(path);
    if (file === undefined) {
      throw new Problem(
        'route_not_found',
        `There is no such guide. ${guidesPath} lists all guides.`,
      );
    }
    void reply.headers({
      'content-security-policy': contentPolicy,
      'cache-control': file.namesOrigin ? ownCacheControl : cacheControl[file.cache],
      'content-type': file.type,
    });
    const origin = file.namesOrigin ? server.publicOriginOf(request) : '';
    return reply.send(await answerOf(path, file, origin).prepare(request, reply));
  };

  for (const path of [guidesPath, '/llms.txt', '/llms-full.txt']) {
    server.get(path, async (request, reply) => answer(path, request, reply));
  }
  server.get(`${guidesPath}/`, async (_request, reply) => reply.redirect(guidesPath, 301));
  server.get<{ Params: { page: string } }>(`${guidesPath}/:page`, async (request, reply) =>
    answer(`${guidesPath}/${request.params.page}`, request, reply),
  );
  for (const folder of ['assets', 'examples']) {
    const path = `${guidesPath}/${folder}`;
    server.get<{ Params: { file: string } }>(`${path}/:file`, async (request, reply) =>
      answer(`${path}/${request.params.file}`, request, reply),
    );
  }
}

/**
 * Of each file only the last answer is kept: with a configured address there is one, and a client that sends other Host
 * headers cannot fill the memory.
 */
function createAnswers() {
  const last = new Map<string, { readonly origin: string; readonly answer: StaticAnswer }>();
  return (path: string, { text }: GuideFile, origin: string): StaticAnswer => {
    const known = last.get(path);
    if (known?.origin === origin) return known.answer;
    const answer = createStaticAnswer(text.replaceAll(originPlaceholder, origin));
    last.set(path, { origin, answer });
    return answer;
  };
}
