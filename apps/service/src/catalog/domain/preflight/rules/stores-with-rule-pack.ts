import type { RulePack, PreflightInput } from '../preflight-input.ts';

export const storeIdsWithRulePack = (
  { stores }: PreflightInput,
  rulePacks: readonly RulePack[],
): string[] =>
  stores.filter(({ rulePack }) => rulePacks.includes(rulePack)).map(({ storeId }) => storeId);
