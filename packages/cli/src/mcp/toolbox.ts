/** The tools of one server: those that its options allow, and the reason for each that they do not. */

import { ToolRefusal } from './refusal.ts';
import type { Tool } from './tool.ts';

export type ToolboxOptions = {
  readonly allowWrites: boolean;
  /** Only tools of these groups. Undefined: all. */
  readonly groups: readonly string[] | undefined;
  /** Shown to the person who confirms: the environment of the API key. */
  readonly place: string;
};

export type Toolbox = ReturnType<typeof createToolbox>;

export function createToolbox(all: readonly Tool[], options: ToolboxOptions) {
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const { allowWrites, groups, place } = options;
  const unknown = groups?.find((group) => !all.some((tool) => tool.group === group));
  if (unknown !== undefined) {
    const known = [...new Set(all.map((tool) => tool.group))].toSorted().join(', ');
    throw new Error(`There are no tools of the group ${unknown}. The groups are: ${known}`);
  }

  const refusalOf = ({ name, kind, group }: Tool): ToolRefusal | undefined => {
    if (groups !== undefined && !groups.includes(group)) {
      return new ToolRefusal({
        code: 'tool_not_offered',
        message: `This server offers no tools of the group ${group}.`,
        cure: `Ask your user to add ${group} to --tools.`,
      });
    }
    if (kind === 'read' || allowWrites) return undefined;
    return new ToolRefusal({
      code: 'writes_not_allowed',
      message: `${name} changes data, and this server only reads.`,
      cure: 'Ask your user to start `tonearm mcp` with --allow-writes.',
    });
  };

  return {
    place,
    offered: all.filter((tool) => refusalOf(tool) === undefined),
    isKnown: (name: string): boolean => byName.has(name),
    find: (name: string): Tool => {
      const tool = byName.get(name);
      if (tool === undefined) throw new Error(`there is no tool ${name}`);
      const refusal = refusalOf(tool);
      if (refusal !== undefined) throw refusal;
      return tool;
    },
  };
}
