/** API keys (contract §5): `ta_live_` or `ta_test_`, 30 random base62 characters and their checksum. */

import type { Environment } from '../../kernel/environment.ts';
import {
  isWellFormedSecret,
  makeSecret,
  type SecretForm,
  secretRandomBytes,
} from './secret-form.ts';

export const prefixOf: Record<Environment, string> = { live: 'ta_live_', sandbox: 'ta_test_' };

const formOf = (environment: Environment): SecretForm => ({
  prefix: prefixOf[environment],
  randomLength: 30,
});
const forms = [formOf('live'), formOf('sandbox')];

export const keyRandomBytes = secretRandomBytes;

type Crc32 = (text: string) => number;

export const makeKey = (environment: Environment, random: Uint8Array, crc32: Crc32): string =>
  makeSecret(formOf(environment), random, crc32);

export const isWellFormedKey = (text: string, crc32: Crc32): boolean =>
  forms.some((form) => isWellFormedSecret(form, text, crc32));
