/** The guides in reading order: the sidebar, next and previous, and llms.txt follow this list. */

export type PageGroup = { readonly title: string; readonly slugs: readonly string[] };

export const pageGroups: readonly PageGroup[] = [
  { title: 'Start', slugs: ['quick-start', 'sdk', 'command-line', 'mcp', 'sandbox', 'go-live'] },
  {
    title: 'Catalog',
    slugs: [
      'releases-and-tracks',
      'artists-and-labels',
      'credits',
      'metadata',
      'rights',
      'uploads',
      'preflight',
    ],
  },
  { title: 'Distribution', slugs: ['deliveries', 'ddex-ern'] },
  { title: 'Money', slugs: ['royalties', 'statements', 'payouts', 'balance'] },
  { title: 'Events', slugs: ['webhooks'] },
  {
    title: 'Platform',
    slugs: [
      'authentication',
      'organization',
      'idempotency',
      'errors',
      'limits',
      'requests',
      'audit-log',
      'versioning',
      'changelog',
      'sandbox-catalogue',
      'glossary',
    ],
  },
];
