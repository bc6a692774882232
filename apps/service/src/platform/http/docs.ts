import apiReference from '@scalar/fastify-api-reference';
import type { Server } from './fastify-types.ts';
import { openApiDocument } from './openapi.ts';

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

/** `/openapi.json`, and the reference at `/docs`, which makes no third-party request. */
export async function docsRoutes(server: Server): Promise<void> {
  let document: string | undefined;
  server.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(server.operations));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  server.get('/favicon.svg', async (_request, reply) => reply.type('image/svg+xml').send(icon));
  await server.register(async (scope) => {
    // The script is megabytes of text: encoded once, every answer shares the bytes.
    let script: Buffer | undefined;
    scope.addHook('onSend', async (request, reply, payload) => {
      void reply.header('content-security-policy', contentPolicy);
      if (!request.url.endsWith('/scalar.js') || typeof payload !== 'string') return payload;
      void reply.header('cache-control', 'public, max-age=3600');
      script ??= Buffer.from(payload);
      return script;
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
        defaultOpenAllTags: true,
        favicon: '/favicon.svg',
      },
    });
  });
}
