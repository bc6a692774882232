import {
  contributorRoleEntries,
  roleGroups,
} from '../../../apps/service/src/catalog/domain/contributor-roles.ts';
import { code, table } from './table.ts';

const groupTitle = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1);

export const contributorRoleTable = (): string =>
  table(
    ['Role', 'Name', 'Group', 'DDEX role'],
    roleGroups.flatMap((group) =>
      contributorRoleEntries
        .filter((entry) => entry.group === group)
        .map(({ role, name, ddexRole }) => [code(role), name, groupTitle(group), code(ddexRole)]),
    ),
  );
