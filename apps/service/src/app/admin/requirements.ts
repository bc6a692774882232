/** The flag --requirement: what an organization must still send or do. */

import {
  requirementCodePattern,
  requirementDescriptionMax,
  requirementsMax,
  type VerificationRequirement,
} from '../../identity/domain/verification.ts';
import { type Flag, type FlagType, repeated, UsageError } from './flag.ts';

const requirement: FlagType<VerificationRequirement> = {
  placeholder: 'CODE:TEXT',
  is: `CODE:TEXT. The code has lowercase letters, digits and underscores, such as company_register; the text has at most ${requirementDescriptionMax} characters`,
  parse: (given) => {
    const [, code = '', description = ''] = /^([^:]*):\s*(.*)$/.exec(given) ?? [];
    const isCode = new RegExp(requirementCodePattern).test(code);
    const hasText = description !== '' && description.length <= requirementDescriptionMax;
    return isCode && hasText ? { code, description } : undefined;
  },
};

const each = repeated(requirement, 'what the organization must still send or do');

export const requirements: Flag<readonly VerificationRequirement[]> = {
  ...each,
  read: (texts, name) => {
    if (texts.length > requirementsMax) {
      throw new UsageError(`--${name} can be sent at most ${requirementsMax} times.`);
    }
    return each.read(texts, name) ?? [];
  },
};
