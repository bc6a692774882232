/** The public list of preflight's rules (catalogue §5), as JSON and as a page. */

import { Type } from 'typebox';
import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { publicRead } from '../../platform/http/public.ts';
import { closed, Nullable, OneOf } from '../../platform/http/schema.ts';
import { presentRules } from '../domain/preflight/present-rules.ts';
import { preventedCodes, units } from '../domain/preflight/rule.ts';
import { rulesVersion } from '../domain/preflight/rules.ts';
import { renderRulesPage } from './preflight-rules-page.ts';
import { catalogReferenceExamples } from './reference-examples.ts';

export const RuleUnit = Nullable(
  OneOf(units, {
    description: 'The unit of `measured` and `limit`. `null`: they are not numbers.',
  }),
);

const SeverityInPack = Nullable(
  OneOf(['error', 'warning'], {
    description: 'The severity at stores with this rule pack. `null`: the rule does not apply.',
  }),
);

const RuleBody = Type.Object(
  {
    id: Type.String({
      description: 'The id of the rule, as in `rule` of a finding.',
      examples: ['artwork_square'],
    }),
    severity: Type.Object(
      { a: SeverityInPack, b: SeverityInPack, base: SeverityInPack },
      {
        ...closed,
        title: 'SeverityByRulePack',
        description: 'The severity by the rule pack of the store.',
      },
    ),
    scope: Type.Array(OneOf(['release', 'track']), {
      description:
        '`release`: the rule reads the release with all its tracks. `track`: it reads each track by itself.',
    }),
    fields: Type.Array(Type.String(), {
      description: 'The fields of the release and its tracks that the rule reads.',
      examples: [['artwork_asset_id']],
    }),
    description: Type.String({ description: 'What the rule checks and why.' }),
    unit: RuleUnit,
    source: Type.String({
      description: 'What the rule is based on.',
      examples: ["Modeled on a major streaming store's FAQ for partners."],
    }),
    prevents: OneOf(preventedCodes, {
      description: 'The `rejection_code` that a store would answer.',
    }),
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
        'Returns every rule of preflight and of the review, in the order of a report. The guide at /docs/guides/preflight explains them.',
      method: 'GET',
      path: '/v1/preflight_rules',
      scope: 'public',
      answers: {
        200: Type.Object(
          {
            rules_version: Type.String({
              description:
                'The version of the rules. It changes when a rule is added or removed, or decides differently.',
              examples: [rulesVersion],
            }),
            data: Type.Array(RuleBody, {
              description: 'Every rule, in the order of a report.',
            }),
          },
          { ...closed, title: 'PreflightRuleList' },
        ),
      },
      examples: catalogReferenceExamples.listPreflightRules,
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
