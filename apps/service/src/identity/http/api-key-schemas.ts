/** API keys on the wire (contract §4, §5). */

import { Type } from 'typebox';
import { exampleIds } from '../../kernel/example-story.ts';
import { actorDescriptions, ScopeName } from '../../platform/http/named-enums.ts';
import {
  closed,
  IdOf,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Text,
  RealTime,
} from '../../platform/http/schema.ts';

const nameMax = 200;
/** More than there are scopes, because a request may repeat one. */
const scopesMax = 50;

const name = Text(nameMax, { description: 'A note of your own.', examples: ['Release importer'] });

const fields = {
  id: IdOf('key'),
  name,
  hint: Type.String({
    description: 'The last 4 characters of the secret, to recognize it by.',
    examples: ['4Gx1'],
  }),
  scopes: Type.Array(ScopeName, { description: 'What the key may do.' }),
  expires_at: Nullable(RealTime('When the key stops working. `null`: it never expires.')),
  revoked_at: Nullable(RealTime('When the key was revoked. `null`: it was not revoked.')),
  last_used_at: Nullable(
    RealTime('When a request last used the key, to the minute. `null`: it was never used.'),
  ),
  created_at: RealTime('When the key was created.'),
  created_by: Type.Object(
    {
      type: OneOf(['api_key', 'oauth_client', 'operator', 'workflow'], {
        description: actorDescriptions.type,
      }),
      id: Type.String({ description: actorDescriptions.id, examples: [exampleIds.key] }),
    },
    { ...closed, description: 'The credential or operator that created the key.' },
  ),
};

export const KeyBody = Type.Object(fields, { ...closed, title: 'ApiKey' });

export const KeyWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({ description: 'The API key itself. It is shown only in this answer.' }),
  },
  { ...closed, title: 'ApiKeyWithSecret' },
);

export const CreateKeyBody = Type.Object(
  {
    name,
    scopes: Type.Array(ScopeName, {
      minItems: 1,
      maxItems: scopesMax,
      description: 'What the key may do. Your own credential must have each of these scopes.',
    }),
    expires_at: Type.Optional(
      Nullable(
        RealTime(
          'When the key stops working: a time in the future. If you omit it, the key never expires.',
        ),
      ),
    ),
  },
  {
    ...closed,
    title: 'CreateApiKey',
    'x-read-only': [
      'id',
      'hint',
      'secret',
      'revoked_at',
      'last_used_at',
      'created_at',
      'created_by',
    ],
  },
);

export const KeyPage = PageOf('ApiKeyPage', KeyBody);
export const KeyListQuery = Type.Object(pageQuery, closed);
export const KeyPath = Type.Object({ api_key_id: IdOf('key') });
