/** Schemas that several sandbox routes use. */

import { Type } from 'typebox';
import { patterned } from '../../platform/http/schema.ts';
import { durationPattern } from '../domain/duration.ts';

export const sandboxTag = 'Sandbox';

export const Duration = (description: string) =>
  Type.String({
    ...patterned(durationPattern, 'a duration: a number and s, m, h or d,'),
    description: `${description} Write a number and \`s\`, \`m\`, \`h\` or \`d\`.`,
    examples: ['72h'],
  });
