/** OAuth on the wire (contract §4, §5; RFC 6749 §4.4, §5). */

import { Type } from 'typebox';
import { exampleOrigin } from '../../kernel/example-story.ts';
import { docUrlOf } from '../../platform/http/doc-url.ts';
import { ScopeName } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  mayGrow,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Text,
  RealTime,
} from '../../platform/http/schema.ts';
import { graceSecondsMax } from '../domain/oauth-client.ts';
import { oauthErrors, tokenLifetimeSeconds } from '../domain/oauth-token.ts';

const nameMax = 200;
const scopesMax = 100;
const formValueMax = 4_096;

export const CreateClientBody = Type.Object(
  {
    name: Text(nameMax, {
      description: 'Your own name for the client.',
      examples: ['Catalogue sync'],
    }),
    scopes: Type.Array(ScopeName, {
      minItems: 1,
      maxItems: scopesMax,
      description:
        'What the access tokens of the client may do. Your own credential must have each of these scopes.',
      examples: [['releases:read', 'deliveries:write']],
    }),
  },
  {
    ...closed,
    title: 'CreateOAuthClient',
    'x-read-only': ['id', 'secrets', 'secret', 'created_at', 'updated_at'],
  },
);

export const AddSecretBody = Type.Object(
  {
    grace_period_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: graceSecondsMax,
        description:
          'The other secrets expire after this number of seconds. If you omit it, they work until you revoke them.',
      }),
    ),
  },
  { ...closed, title: 'AddOAuthSecret' },
);

const Secret = Type.Object(
  {
    id: IdOf('ocs'),
    hint: Type.String({ description: 'The last 4 characters of the secret, to recognize it by.' }),
    created_at: RealTime('When it was created.'),
    last_used_at: Nullable(
      RealTime('When an access token was last issued for the secret. `null`: never.'),
    ),
    expires_at: Nullable(RealTime('When the secret stops working. `null`: when you revoke it.')),
  },
  { ...closed, title: 'OAuthSecret' },
);

const fields = {
  id: IdOf('oac'),
  name: Type.String({ description: 'Your own name for the client.' }),
  scopes: Type.Array(ScopeName, { description: 'What the access tokens of the client may do.' }),
  secrets: Type.Array(Secret, { description: 'The secrets that work now, oldest first.' }),
  created_at: RealTime('When it was created.'),
  updated_at: RealTime('When it was last changed.'),
};

export const ClientBody = Type.Object(fields, { ...closed, title: 'OAuthClient' });

export const ClientWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'The secret. It is shown only in this answer.' }),
  },
  { ...closed, title: 'OAuthClientWithSecret' },
);

export const ClientPage = PageOf('OAuthClientPage', ClientBody);
export const ClientListQuery = Type.Object(pageQuery, closed);
export const ClientPath = Type.Object({ oauth_client_id: IdOf('oac') });
export const SecretPath = Type.Object({ oauth_client_id: IdOf('oac'), secret_id: IdOf('ocs') });

export const TokenForm = Type.Object(
  {
    grant_type: OneOf(['client_credentials'], {
      description: 'The grant type, always `client_credentials`.',
    }),
    scope: Type.Optional(
      Type.String({
        maxLength: formValueMax,
        description:
          'The scopes to request, separated by spaces. If you omit it, every scope of the client.',
        examples: ['releases:read deliveries:write'],
      }),
    ),
    client_id: Type.Optional(
      Type.String({
        maxLength: formValueMax,
        description: 'Send it if you do not use HTTP Basic authentication.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({
        maxLength: formValueMax,
        description: 'Send it if you do not use HTTP Basic authentication.',
      }),
    ),
  },
  { title: 'OAuthTokenRequest' },
);

export const TokenBody = Type.Object(
  {
    access_token: Type.String({
      description: 'The access token. Send it as `Authorization: Bearer` with each request.',
      examples: ['ta_at_…'],
    }),
    token_type: Type.Literal('Bearer', { description: 'The type of the token, always `Bearer`.' }),
    expires_in: Type.Integer({
      description: 'How many seconds the token works.',
      examples: [tokenLifetimeSeconds],
    }),
    scope: Type.String({ description: 'The scopes of the token, separated by spaces.' }),
  },
  { ...closed, title: 'OAuthAccessToken' },
);

export const OAuthErrorBody = Type.Object(
  {
    error: OneOf(oauthErrors, {
      description: `The error code of OAuth 2.0 (RFC 6749). Decide by it. ${mayGrow}`,
    }),
    error_description: Type.String({
      description:
        'A sentence for people: what is wrong and what to do. Its words may change; do not parse it.',
    }),
    error_uri: Type.String({
      description: 'The page about the error (RFC 6749 §5.2).',
      examples: [docUrlOf(exampleOrigin, 'invalid_credentials')],
    }),
  },
  { ...closed, title: 'OAuthError' },
);
