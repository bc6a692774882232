/** The public list of preflight's rules (catalogue §5), as JSON and as a page. */

import { Type } from 'typebox';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { publicRead } from '../../platform/http/public.ts';
import { closed, Nullable, OneOf } from '../../platform/http/schema.ts';
import { presentRules } from '../domain/preflight/present-rules.ts';
import { units } from '../domain/preflight/rule.ts';
import { rulesVersion } from '../domain/preflight/rules.ts';
import { renderRulesPage } from './preflight-rules-page.ts';

export const RuleUnit = Nullable(
  OneOf(units, { description: 'Of measured and limit, where they are numbers.' }),
);

const SeverityInPack = Nullable(
  OneOf(['error', 'warning'], { description: 'Null: the rule does not apply.' }),
);

const RuleBody = Type.Object(
  {
    id: Type.String({ description: 'As in rule of a finding.', examples: ['artwork_square'] }),
    severity: Type.Object(
      { a: SeverityInPack, b: SeverityInPack, base: SeverityInPack },
      { ...closed, title: 'SeverityByPack', description: 'By rule pack of the store.' },
    ),
    scope: Type.Array(OneOf(['release', 'track']), {
      description: 'release: the release with all its tracks. track: each track by itself.',
    }),
    fields: Type.Array(Type.String(), {
      description: 'The fields of the release and its tracks that it reads.',
      examples: [['artwork_asset_id']],
    }),
    description: Type.String({ description: 'What it checks, and why.' }),
    unit: RuleUnit,
    source: Type.String({
      description: 'Whose rule it follows.',
      examples: ['modelled on Apple partner FAQ'],
    }),
    prevents: Type.String({ description: 'The rejection_code a store would answer.' }),
  },
  { ...closed, title: 'PreflightRule' },
);

/** The page has a style of its own and the icon, and loads nothing else. */
const contentPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'none'";

export function preflightRuleRoutes(server: Server): void {
  publicRead(
    server,
    {
      id: 'listPreflightRules',
      tag: 'Reference',
      summary: 'List preflight rules',
      description:
        'Every rule that preflight and the review judge a release by, in the order of a report. The same list for people is at /docs/preflight-rules.',
      method: 'GET',
      path: '/v1/preflight_rules',
      scope: 'public',
      answers: {
        200: Type.Object(
          {
            rules_version: Type.String({
              description: 'Changes whenever a rule is added or removed, or decides differently.',
              examples: [rulesVersion],
            }),
            data: Type.Array(RuleBody),
          },
          { ...closed, title: 'PreflightRuleList' },
        ),
      },
      problems: [],
    },
    () => ok({ rules_version: rulesVersion, data: presentRules() }),
  );
  const page = renderRulesPage(rulesVersion, presentRules());
  server.get('/docs/preflight-rules', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy)
      .send(page),
  );
}
