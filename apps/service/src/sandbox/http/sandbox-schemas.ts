/** Schemas that several sandbox routes use. */

import { Type } from 'typebox';
import { durationPattern } from '../domain/duration.ts';

export const sandboxTag = 'Sandbox';

export const Duration = (description: string) =>
  Type.String({
    pattern: durationPattern,
    description: `${description} A number and s, m, h or d.`,
    examples: ['72h'],
  });
