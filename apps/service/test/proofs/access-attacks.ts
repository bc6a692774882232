/**
 * Hostile requests: forged, cut off, changed, swapped, expired and revoked credentials, at the token endpoint and at a
 * resource. Each is made from real credentials of two organizations, and none may be accepted.
 */

import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { keyRandomBytes, makeKey } from '../../src/identity/domain/api-key.ts';
import { clientSecretForm } from '../../src/identity/domain/oauth-client.ts';
import { accessTokenForm } from '../../src/identity/domain/oauth-token.ts';
import { makeSecret } from '../../src/identity/domain/secret-form.ts';
import { basicOf, formType } from '../oauth-fixture.ts';
import type { Random } from './random.ts';

/** Everything an attacker could have collected. */
export type Loot = {
  readonly orgId: string;
  readonly releaseId: string;
  readonly keyId: string;
  readonly key: string;
  readonly expiredKey: string;
  readonly revokedKey: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly expiredToken: string;
  readonly revokedToken: string;
  readonly revokedClient: { readonly id: string; readonly secret: string };
  readonly revokedSecret: string;
  readonly expiredSecret: string;
};

export type Attack = {
  readonly kind: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status that the check of the credential answers. */
  readonly status: number;
};

const random = () => randomBytes(keyRandomBytes);
const characters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');

/** With a right checksum: only the look-up can refuse it. */
const forged = {
  key: () => makeKey('live', random(), crc32),
  sandboxKey: () => makeKey('sandbox', random(), crc32),
  secret: () => makeSecret(clientSecretForm, random(), crc32),
  token: () => makeSecret(accessTokenForm, random(), crc32),
};

/** Changes, drops or adds a character, or cuts the end off. */
function damaged(secret: string, { below, pick }: Random): string {
  const at = 3 + below(secret.length - 4);
  const head = secret.slice(0, at);
  const current = secret.charAt(at);
  const other = pick(characters.filter((each) => each !== current));
  return pick([
    head,
    `${head}${other}${secret.slice(at + 1)}`,
    `${head}${secret.slice(at + 1)}x`,
    `${head}${other}${secret.slice(at)}`,
    `${secret}${other}`,
    secret.toLowerCase() === secret ? `${secret}x` : secret.toLowerCase(),
    secret.replace('_', '-'),
  ]);
}

const sha256 = (text: string) => createHash('sha256').update(text);

/** Where a client id is expected. */
const oddIds = (loot: Loot): readonly string[] => [
  loot.orgId,
  loot.keyId,
  'oac_01h455vb4pex5vsknk084sn02q',
  '',
  "' or 1=1 --",
  '\u0000',
  'oac_\u202e',
  `${loot.client.id} `,
  loot.client.id.toUpperCase(),
];

/** Where a secret is expected, for a client that exists. */
function wrongSecrets(mine: Loot, theirs: Loot, chance: Random): Readonly<Record<string, string>> {
  return {
    forged: forged.secret(),
    damaged: damaged(mine.client.secret, chance),
    'of another client': theirs.client.secret,
    revoked: mine.revokedSecret,
    expired: mine.expiredSecret,
    'a key': mine.key,
    'a token': mine.token,
    'its hash': sha256(mine.client.secret).digest('hex'),
    'its hash in base64': sha256(mine.client.secret).digest('base64'),
    'its hint': mine.client.secret.slice(-4),
    missing: '',
  };
}

const pickEntry = (entries: Readonly<Record<string, string>>, { pick }: Random) =>
  pick(Object.entries(entries));

const grant = 'grant_type=client_credentials';

/** By the header or in the body. */
function tokenRequest(
  kind: string,
  client: { readonly id: string; readonly secret: string },
  { below }: Random,
): Attack {
  const request = { method: 'POST', path: '/v1/oauth/token', status: 401 } as const;
  if (below(2) === 0) {
    return { ...request, kind, headers: { ...formType, ...basicOf(client) }, body: grant };
  }
  const fields = new URLSearchParams({ client_id: client.id, client_secret: client.secret });
  return { ...request, kind, headers: formType, body: `${grant}&${fields.toString()}` };
}

function attackTokenEndpoint(mine: Loot, theirs: Loot, chance: Random): Attack {
  const { below, pick } = chance;
  switch (below(8)) {
    case 0:
      return tokenRequest(
        'token: an odd client',
        { ...mine.client, id: pick(oddIds(mine)) },
        chance,
      );
    case 1:
      return tokenRequest('token: a deleted client', mine.revokedClient, chance);
    case 2: {
      // Right credentials, and a request that the endpoint must refuse before it looks at them.
      const body = pick([
        'grant_type=password',
        `${grant}&${grant}`,
        'scope=releases:read',
        `${grant}&client_secret=${mine.client.secret}`,
      ]);
      const headers = { ...formType, ...basicOf(mine.client) };
      return {
        kind: 'token: another grant',
        method: 'POST',
        path: '/v1/oauth/token',
        headers,
        body,
        status: 400,
      };
    }
    default: {
      const [name, secret] = pickEntry(wrongSecrets(mine, theirs, chance), chance);
      return tokenRequest(`token: secret ${name}`, { id: mine.client.id, secret }, chance);
    }
  }
}

function wrongBearers(mine: Loot, chance: Random): Readonly<Record<string, string>> {
  return {
    'a forged key': forged.key(),
    'a forged token': forged.token(),
    'a key of the sandbox': forged.sandboxKey(),
    'a damaged key': damaged(mine.key, chance),
    'a damaged token': damaged(mine.token, chance),
    'an expired key': mine.expiredKey,
    'an expired token': mine.expiredToken,
    'a revoked key': mine.revokedKey,
    'a revoked token': mine.revokedToken,
    'a client secret': mine.client.secret,
    'a client id': mine.client.id,
    'a token with the prefix of a key': mine.token.replace('ta_at_', 'ta_live_'),
    'a key with the prefix of a token': mine.key.replace('ta_live_', 'ta_at_'),
    'Basic of a client': 'Basic',
  };
}

function attackResource(mine: Loot, theirs: Loot, chance: Random): Attack {
  const { below } = chance;
  const request = { method: 'GET', path: `/v1/releases/${mine.releaseId}` } as const;
  // Rare: it counts for the limit of the other organization, whose credential is valid.
  if (below(100) === 0) {
    const authorization = `Bearer ${below(2) === 0 ? theirs.key : theirs.token}`;
    return { ...request, kind: 'resource of another', headers: { authorization }, status: 404 };
  }
  if (below(20) === 0) {
    const headers = { authorization: `Bearer ${mine.key}`, 'x-api-key': mine.key };
    return { ...request, kind: 'bearer: two headers', headers, status: 400 };
  }
  const [name, secret] = pickEntry(wrongBearers(mine, chance), chance);
  const kind = `bearer: ${name}`;
  if (secret === 'Basic') return { ...request, kind, headers: basicOf(mine.client), status: 401 };
  const headers: Record<string, string> =
    below(4) === 0 ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` };
  return { ...request, kind, headers, status: 401 };
}

/** Half at the token endpoint, half at a resource. */
export function nextAttack(loots: readonly [Loot, Loot], chance: Random): Attack {
  const [mine, theirs] = chance.below(2) === 0 ? loots : [loots[1], loots[0]];
  const attack = chance.below(2) === 0 ? attackTokenEndpoint : attackResource;
  return attack(mine, theirs, chance);
}
