/** OAuth clients of an enterprise organization, and their secrets (spec §5.1, contract §5). */

import { addMs, secondMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';
import { Problem, type Refusal } from '../../kernel/problem.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { SecretForm } from './secret-form.ts';

export type OAuthClientId = Id<'oac'>;
export type OAuthSecretId = Id<'ocs'>;

/** 32 base62 characters are 190 random bits. */
export const clientSecretForm: SecretForm = { prefix: 'ta_cs_', randomLength: 32 };

export type OAuthSecret = {
  readonly id: OAuthSecretId;
  /** The last characters of the secret. Only its SHA-256 is stored. */
  readonly hint: string;
  readonly createdAt: Date;
  /** When an access token was last issued for it. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

export type OAuthClient = {
  readonly id: OAuthClientId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Oldest first, expired ones included until the next secret is added. */
  readonly secrets: readonly OAuthSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

const clientsMax = 100;
const secretsMax = 5;
/** As `rotate_secret` of webhooks (contract §6). */
export const graceSecondsMax = 604_800;

export const isUsable = ({ expiresAt }: Pick<OAuthSecret, 'expiresAt'>, realNow: Date): boolean =>
  expiresAt === null || expiresAt > realNow;

/** The end of the grace period, unless the secret ends before it. Undefined: the secret stays as it is. */
export function expiryAfterGrace(
  { expiresAt }: OAuthSecret,
  realNow: Date,
  graceSeconds: number | undefined,
): Date | null {
  if (graceSeconds === undefined) return expiresAt;
  const graceEnd = addMs(realNow, graceSeconds * secondMs);
  return expiresAt !== null && expiresAt < graceEnd ? expiresAt : graceEnd;
}

export const refuseTooManyClients = (count: number): Refusal | undefined =>
  count < clientsMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `Your organization has ${count} OAuth clients, the most that are allowed (${clientsMax}). Delete one first.`,
      };

/** `left` are the secrets that still work once the new one is there. */
export const refuseTooManySecrets = (left: readonly OAuthSecret[]): Refusal | undefined =>
  left.length < secretsMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `The client has ${left.length} secrets that work, and at most ${secretsMax} are allowed. Revoke one first, or send grace_period_seconds: 0.`,
      };

export const presentClient = (client: OAuthClient, realNow: Date) => ({
  id: client.id,
  name: client.name,
  scopes: [...client.scopes],
  secrets: client.secrets
    .filter((secret) => isUsable(secret, realNow))
    .map((secret) => ({
      id: secret.id,
      hint: secret.hint,
      created_at: secret.createdAt.toISOString(),
      last_used_at: secret.lastUsedAt?.toISOString() ?? null,
      expires_at: secret.expiresAt?.toISOString() ?? null,
    })),
  created_at: client.createdAt.toISOString(),
  updated_at: client.updatedAt.toISOString(),
});

export const clientNotFound = () =>
  new Problem('resource_not_found', 'No OAuth client of your organization has this id.');

export const secretNotFound = () =>
  new Problem('resource_not_found', 'The OAuth client has no secret with this id that works.');
