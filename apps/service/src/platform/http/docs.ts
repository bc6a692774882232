import apiReference from '@scalar/fastify-api-reference';
import { dayOf } from '../../kernel/calendar-date.ts';
import type { Clock } from '../../kernel/clock.ts';
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
export async function docsRoutes(
  server: Server,
  { now }: Clock,
  describe: (now: Date) => Json,
): Promise<void> {
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
  await server.register(async (scope) => {
    // The script is megabytes of text: encoded and compressed once, every answer shares the bytes.
    const files = new Map<string, StaticAnswer>();
    scope.addHook('onSend', async (request, reply, payload) => {
      void reply.header('content-security-policy', contentPolicy);
      const { url = '' } = request.routeOptions;
      const isFile = reply.statusCode === 200 && request.method !== 'HEAD';
      if (!isFile || typeof payload !== 'string') return payload;
      const isScript = url.endsWith('/scalar.js');
      void reply.header('cache-control', isScript ? 'public, max-age=3600' : 'no-cache');
      const file = files.get(url) ?? createStaticAnswer(payload);
      files.set(url, file);
      // Undefined would keep the payload.
      return (await file.prepare(request, reply)) ?? null;
    });
    await scope.register(apiReference, {
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
  });
}
