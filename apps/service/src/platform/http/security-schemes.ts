/** How a request authenticates, for the OpenAPI document. */

import { type Scope, scopes } from '../../kernel/scope.ts';
import type { AnyOperation } from './operation.ts';

const describeScope = (scope: Scope): string => {
  const [subject = '', right] = scope.split(':');
  return `${right === 'read' ? 'Read' : 'Change'} ${subject}.`;
};

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Send `Authorization: Bearer <API_KEY>`.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  oauth2: {
    type: 'oauth2',
    description: 'For the enterprise tier. Send `Authorization: Bearer <ACCESS_TOKEN>`.',
    flows: {
      clientCredentials: {
        tokenUrl: '/v1/oauth/token',
        scopes: Object.fromEntries(scopes.map((scope) => [scope, describeScope(scope)])),
      },
    },
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'At the token endpoint only: the id and a secret of an OAuth client. You can send them in the body instead.',
  },
};

export const security = ({ scope, alsoNeeds = [] }: AnyOperation): readonly object[] =>
  scope === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }, { oauth2: [scope, ...alsoNeeds] }];
