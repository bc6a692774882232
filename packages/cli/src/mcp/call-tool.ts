/** Runs a tool: refuses what this server does not allow, has destructive calls confirmed, and answers with text. */

import { ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createConfirmations, type Elicit } from './confirmation.ts';
import type { ErrorCodes } from './error-codes.ts';
import { answerResult, failureResult } from './results.ts';
import type { Arguments, ToolContext } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

export function createToolCaller(
  toolbox: Toolbox,
  errorCodes: ErrorCodes,
  log: (line: string) => void,
) {
  const confirm = createConfirmations();

  const run = async (name: string, args: Arguments, context: ToolContext, elicit: Elicit) => {
    const tool = toolbox.find(name);
    const effect = await tool.describeEffect?.(args);
    if (effect !== undefined) await confirm(name, args, `${toolbox.place}: ${effect}`, elicit);
    return answerResult(tool, args, await tool.run(args, context));
  };

  return async (
    name: string,
    args: Arguments,
    context: ToolContext,
    elicit: Elicit,
  ): Promise<CallToolResult> => {
    if (!toolbox.isKnown(name)) {
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}.`);
    }
    const begun = performance.now();
    const result = await run(name, args, context, elicit).catch((failure: unknown) =>
      failureResult(failure, errorCodes),
    );
    const outcome = result.isError === true ? 'failed' : 'answered';
    log(`${name} ${outcome} in ${Math.round(performance.now() - begun)} ms`);
    return result;
  };
}
