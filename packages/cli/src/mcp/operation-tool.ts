/** A tool for one operation of the API: its arguments are those of the path, the query and the body, side by side. */

import { describeEffect } from './describe-effect.ts';
import { repeatableOperations, warnings } from './exposure.ts';
import type { JsonSchema, Operation } from './operation.ts';
import { ToolRefusal } from './refusal.ts';
import type { ApiRequest, Arguments, CallApi, Tool, ToolKind } from './tool.ts';

/** Pages are small, because a model reads all of it. */
const limitDefault = 10;
const limitMax = 50;

/** Described in the instructions of the server, because sixty tools have them. */
const readOn: Readonly<Record<string, JsonSchema>> = {
  pointer: { type: 'string', description: 'Reads on: a JSON pointer.' },
  offset: { type: 'integer', description: 'Reads on: where to begin.' },
};

const idempotencyKey: JsonSchema = {
  type: 'string',
  description: 'A UUID v4. If an answer was lost, repeat the call with the same key.',
};

const kindOf = ({ effect }: Operation): ToolKind => {
  if (effect === 'reads') return 'read';
  return warnings[effect] === null ? 'write' : 'confirmed';
};

function confirmationNote({ effectIf }: Operation): string {
  if (effectIf === undefined) return 'Your user must confirm it.';
  const causes = Object.entries(effectIf).map(([name, values]) =>
    values === 'any' ? name : `${name} ${values.join(' or ')}`,
  );
  return `Your user must confirm it if it has one of: ${causes.join(', ')}.`;
}

function schemaOf({ schema, method }: Operation, kind: ToolKind): JsonSchema {
  const { limit, ...properties } = schema.properties ?? {};
  const page = { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault };
  return {
    ...schema,
    properties: {
      ...properties,
      ...(limit !== undefined && { limit: { ...page, description: 'How many items to return.' } }),
      ...(kind === 'read' && readOn),
      ...((method === 'POST' || method === 'PATCH') &&
        kind !== 'read' && { idempotency_key: idempotencyKey }),
    },
  };
}

/** Not of the API: `pointer`, `offset` and `idempotency_key` are arguments of the tool. */
const ownArguments = new Set(['pointer', 'offset', 'idempotency_key', 'confirmation_token']);

function pathOf({ path, name }: Operation, args: Arguments): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = args[parameter];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') {
      return encodeURIComponent(value);
    }
    throw new ToolRefusal({
      code: 'argument_missing',
      message: `${name} needs the argument ${parameter}.`,
      cure: `Send ${parameter}. A list tool shows the ids that exist.`,
    });
  });
}

function queryOf({ inQuery }: Operation, args: Arguments): Arguments {
  const query = Object.fromEntries(
    inQuery.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])),
  );
  if (!inQuery.includes('limit')) return query;
  const { limit = limitDefault } = query;
  return { ...query, limit: typeof limit === 'number' ? Math.min(limit, limitMax) : limit };
}

/** An argument that the operation does not have goes into the body, whose check by the API names it. */
function bodyOf(operation: Operation, args: Arguments): Arguments | undefined {
  const { inPath, inQuery, hasBody, name } = operation;
  const rest = Object.entries(args).filter(
    ([key]) => !inPath.includes(key) && !inQuery.includes(key) && !ownArguments.has(key),
  );
  const [unknown] = rest;
  if (hasBody || unknown === undefined) return hasBody ? Object.fromEntries(rest) : undefined;
  throw new ToolRefusal({
    code: 'argument_unknown',
    message: `${name} has no argument ${unknown[0]}.`,
    cure: `Send only: ${[...inPath, ...inQuery].join(', ') || 'no arguments'}.`,
  });
}

function requestOf(operation: Operation, args: Arguments): ApiRequest {
  const body = bodyOf(operation, args);
  const { idempotency_key: key } = args;
  return {
    method: operation.method,
    path: pathOf(operation, args),
    query: queryOf(operation, args),
    ...(body !== undefined && { body }),
    ...(typeof key === 'string' && { idempotencyKey: key }),
  };
}

export function operationTool(
  operation: Operation,
  operations: readonly Operation[],
  call: CallApi,
): Tool {
  const kind = kindOf(operation);
  const { operationId, method, description } = operation;
  return {
    ...operation,
    kind,
    isRepeatable: method !== 'POST' || repeatableOperations.has(operationId),
    schema: schemaOf(operation, kind),
    // A DELETE answers with nothing.
    run: async (args, { signal }) =>
      (await call({ ...requestOf(operation, args), signal })) ?? { done: true },
    ...(kind === 'confirmed' && {
      description: `${description} ${confirmationNote(operation)}`,
      describeEffect: async (args: Arguments) => {
        requestOf(operation, args);
        return describeEffect(operation, args, operations, call);
      },
    }),
  };
}
