/** `tonearm mcp`. The server is loaded when the command runs: the other commands start faster without it. */

import type { Command } from 'commander';

export type McpConnection = { readonly apiKey: string; readonly baseUrl: string };

export type McpFlags = {
  readonly allowWrites?: true;
  readonly files?: string;
  readonly tools?: string;
};

/** `connect` says which key and address to use. */
export function addMcpCommand(program: Command, connect: () => McpConnection): void {
  program
    .command('mcp')
    .description('serve the API to AI models over the Model Context Protocol (stdio)')
    .option('--allow-writes', 'offer tools that change data; destructive ones ask for confirmation')
    .option('--files <folder>', 'let the model list and upload audio and artwork of this folder')
    .option('--tools <groups>', 'offer only tools of these groups, separated by commas')
    .action(async (flags: McpFlags) => {
      const connection = connect();
      const { serveMcp } = await import('./serve.ts');
      await serveMcp(flags, connection);
    });
}
