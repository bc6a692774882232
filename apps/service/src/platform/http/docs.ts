import Fastify from 'fastify';
import { dayOf } from '../../kernel/calendar-date.ts';
import type { Clock } from '../../kernel/clock.ts';
import { loadOnce } from '../process/load-once.ts';
import type { Server } from './fastify-types.ts';
import type { Json } from './openapi-components.ts';
import { createStaticAnswer, type StaticAnswer } from './static-answer.ts';

/** The browser enforces that the page and its script load everything from this server. */
const contentPolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
].join('; ');

/** A record and its arm. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="14" cy="18" r="12" fill="#16181d"/><circle cx="14" cy="18" r="4" fill="#e4572e"/><path d="M29 3 23 21l-6 2" fill="none" stroke="#9aa0aa" stroke-width="2.5"/></svg>`;

/**
 * `/openapi.json`, and the reference at `/docs`, which makes no third-party request. The document is made once a day:
 * the dates of its examples are counted from `now`.
 */
export function docsRoutes(server: Server, { now }: Clock, describe: (now: Date) => Json): void {
  let day: string | undefined;
  let document: StaticAnswer | undefined;
  server.get('/openapi.json', async (request, reply) => {
    const today = now();
    if (document === undefined || day !== dayOf(today)) {
      document = createStaticAnswer(JSON.stringify(describe(today)));
      day = dayOf(today);
    }
    void reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache');
    return reply.send(await document.prepare(request, reply));
  });
  server.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  referenceRoutes(server);
}

const pagePath = '/docs/';

/** `cache-control` by path. The script is megabytes of text. */
const caching = { [pagePath]: 'no-cache', '/docs/js/scalar.js': 'public, max-age=3600' };

function referenceRoutes(server: Server): void {
  server.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', contentPolicy).redirect(pagePath, 301),
  );
  for (const [path, cacheControl] of Object.entries(caching)) {
    const load = loadOnce(() => loadReferenceFile(path));
    server.get(path, async (request, reply) => {
      const { type, answer } = await load();
      void reply
        .type(type)
        .header('content-security-policy', contentPolicy)
        .header('cache-control', cacheControl);
      return reply.send(await answer.prepare(request, reply));
    });
  }
}

type ReferenceFile = { readonly type: string; readonly answer: StaticAnswer };

/**
 * The package offers its files only as a plugin of a server: this one has no socket. It is loaded for the first reader,
 * because it takes a seventh of the time in which an api starts.
 */
async function loadReferenceFile(path: string): Promise<ReferenceFile> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Tonearm API reference',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      hideClientButton: true,
      favicon: '/favicon.svg',
    },
  });
  const { statusCode, headers, body } = await reference.inject(path);
  if (statusCode !== 200) throw new Error(`the API reference has no ${path}`);
  return { type: String(headers['content-type']), answer: createStaticAnswer(body) };
}
