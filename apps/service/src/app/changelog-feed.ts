/** `/docs/changelog.atom`: the changelog as a feed (RFC 4287). */

import { createHash } from 'node:crypto';
import type { Server } from '../platform/http/fastify-types.ts';
import { ownCacheControl } from '../platform/http/guides.ts';
import { changelog, type ChangelogEntry } from '../webhooks/domain/changelog.ts';

const feedPath = '/docs/changelog.atom';
const pagePath = '/docs/guides/changelog';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);

/** Ids never change, also when the address of the service does: a reader would show every entry as new. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`tonearm changelog ${name}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const updatedAt = ({ date }: Pick<ChangelogEntry, 'date'>): string => `${date}T00:00:00Z`;

function renderEntry(origin: string, entry: ChangelogEntry): string {
  const changes = entry.changes.map(({ kind, text, sunset }) => {
    const end = sunset === undefined ? '' : ` It stops working on ${sunset}.`;
    return `<li>${kind}: ${escapeXml(text)}${end}</li>`;
  });
  return `  <entry>
    <id>urn:uuid:${uuidOf(entry.date)}</id>
    <title>${escapeXml(entry.title)}</title>
    <updated>${updatedAt(entry)}</updated>
    <link rel="alternate" type="text/html" href="${origin}${pagePath}#${entry.date}"/>
    <content type="html">${escapeXml(`<ul>${changes.join('')}</ul>`)}</content>
  </entry>`;
}

/** `origin`: scheme and host, without characters that XML would read. */
function renderFeed(origin: string): string {
  const newest = changelog.at(-1);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${uuidOf('feed')}</id>
  <title>Tonearm API changelog</title>
  <updated>${updatedAt(newest ?? { date: '2024-02-01' })}</updated>
  <author><name>Tonearm</name></author>
  <link rel="self" type="application/atom+xml" href="${origin}${feedPath}"/>
  <link rel="alternate" type="text/html" href="${origin}${pagePath}"/>
${changelog
  .toReversed()
  .map((entry) => renderEntry(origin, entry))
  .join('\n')}
</feed>
`;
}

export function changelogFeedRoute(server: Server): void {
  server.get(feedPath, async (request, reply) =>
    reply
      .type('application/atom+xml; charset=utf-8')
      .header('cache-control', ownCacheControl)
      .send(renderFeed(server.publicOriginOf(request))),
  );
}
