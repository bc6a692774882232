import {
  requirementCodePattern,
  requirementDescriptionMax,
  requirementsMax,
  type VerificationRequirement,
} from '../../identity/domain/verification.ts';
import { UsageError, valueSeparator } from './command.ts';

/** The values of --requirement: what an organization must still send or do. */
export function requirementsOf(text: string | undefined): readonly VerificationRequirement[] {
  if (text === undefined) return [];
  const requirements = text.split(valueSeparator).map((each) => {
    const [, code = '', description = ''] = /^([^:]*):\s*(.*)$/.exec(each) ?? [];
    if (!new RegExp(requirementCodePattern).test(code) || description === '') {
      throw new UsageError(
        '--requirement must be CODE:TEXT. The code has lowercase letters, digits and underscores, such as company_register.',
      );
    }
    if (description.length > requirementDescriptionMax) {
      throw new UsageError(
        `The text of --requirement must have at most ${requirementDescriptionMax} characters.`,
      );
    }
    return { code, description };
  });
  if (requirements.length > requirementsMax) {
    throw new UsageError(`--requirement can be sent at most ${requirementsMax} times.`);
  }
  return requirements;
}
