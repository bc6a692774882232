/** A session of the official MCP client with `tonearm mcp` as a child process, as an application would open it. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export type SessionOptions = {
  readonly url: string;
  readonly key: string;
  readonly args?: readonly string[];
  /** How the person answers each question. Omitted: the client does not support elicitation. */
  readonly answer?: (question: string) => {
    action: 'accept' | 'decline' | 'cancel';
    confirm?: boolean;
  };
};

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects
type Json = any;

export type Called = { readonly isError: boolean; readonly text: string; readonly json: Json };

const commandLine = join(import.meta.dirname, '../../src/main.ts');
const timeoutMs = 120_000;

export async function openSession({ url, key, args = [], answer }: SessionOptions) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  const questions: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      const { action, confirm } = answer(params.message);
      return action === 'accept' ? { action, content: { confirm: confirm ?? true } } : { action };
    });
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandLine, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', TONEARM_API_KEY: key, TONEARM_URL: url },
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await client.connect(transport, { timeout: timeoutMs });
  const results: string[] = [];

  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Called> => {
    const result = (await client.callTool({ name, arguments: given }, undefined, {
      timeout: timeoutMs,
      onprogress: () => undefined,
      resetTimeoutOnProgress: true,
    })) as CallToolResult;
    const [content] = result.content;
    assert.ok(content?.type === 'text');
    results.push(content.text);
    return { isError: result.isError === true, text: content.text, json: JSON.parse(content.text) };
  };
  return {
    client,
    call,
    /** Fails unless the tool has answered without an error. */
    ask: async (name: string, given: Record<string, unknown> = {}): Promise<Json> => {
      const { isError, text, json } = await call(name, given);
      assert.ok(!isError, `${name}: ${text}`);
      return json;
    },
    /** The questions that the person was shown. */
    questions,
    /** Everything that a model was sent. */
    results,
    log: () => log,
    pid: () => transport.pid,
    close: () => client.close(),
  };
}

export type Session = Awaited<ReturnType<typeof openSession>>;
