/** One operation of the document as a method of the SDK. */

import {
  capitalized,
  type Document,
  nameOf,
  type Operation,
  type Parameter,
  parametersOf,
  queryOf,
  queryTypeOf,
  required,
} from './document.ts';

export type Method = {
  readonly name: string;
  readonly source: string;
  /** The generated types that it names. */
  readonly types: readonly string[];
};

export type Route = {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
};

/** By which field of its last line a download of JSON lines continues. */
const lineKeys: Readonly<Record<string, string>> = {
  exportLineItems: 'id',
  exportAuditLog: 'sequence',
};

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type Argument = { readonly text: string; readonly types: readonly string[] };

export function methodOf(document: Document, route: Route, name: string): Method {
  const { operation } = route;
  const parameters = parametersOf(document, operation);
  const path = parameters.filter((parameter) => parameter.in === 'path');
  const query = queryOf(document, operation);
  const body = bodyOf(operation);
  const answer = answerOf(document, operation, query);
  const optionsType = optionsOf(parameters);
  const ids = path.map((parameter) => `${camelCase(parameter.name)}: ${idType(parameter)}`);
  const queryArgument = queryArgumentOf(operation, query);
  const names = [...ids, ...(body?.argument ?? []), ...queryArgument, `options?: ${optionsType}`];
  const fields = [
    `method: '${route.method}'`,
    `path: ${pathExpression(route.path)}`,
    ...(query.length > 0 ? ['query'] : []),
    ...(body?.fields ?? []),
    ...(optionsType === 'WriteOptions' ? ['takesKey: true'] : []),
    'options',
  ];
  return {
    name,
    types: [
      ...(body?.types ?? []),
      ...answer.types,
      ...(query.length > 0 ? [queryTypeOf(operation)] : []),
    ],
    source: `${commentOf(operation)}
  ${name}(${names.join(', ')}): ${answer.type} {
    return this.client.${answer.call}({ ${fields.join(', ')} }${answer.more});
  }`,
  };
}

const idType = ({ schema }: Parameter): string =>
  schema['pattern'] === '^\\d+$' ? 'number | string' : 'string';

const pathExpression = (path: string): string =>
  path.includes('{')
    ? `\`${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${segment(${camelCase(name)}, '${name}')}`)}\``
    : `'${path}'`;

function queryArgumentOf(operation: Operation, query: readonly Parameter[]): readonly string[] {
  if (query.length === 0) return [];
  const isRequired = query.some((parameter) => parameter.required);
  return [`query${isRequired ? '' : '?'}: ${queryTypeOf(operation)}`];
}

function optionsOf(parameters: readonly Parameter[]): string {
  const takes = (name: string) => parameters.some((parameter) => parameter.name === name);
  if (takes('Idempotency-Key')) return 'WriteOptions';
  if (takes('If-None-Match')) return 'ReadOptions';
  return 'RequestOptions';
}

type Body = Omit<Argument, 'text'> & {
  readonly argument: readonly string[];
  readonly fields: readonly string[];
};

function bodyOf(operation: Operation): Body | undefined {
  const { requestBody } = operation;
  if (requestBody === undefined) return undefined;
  const mark = requestBody.required ? '' : '?';
  const json = requestBody.content['application/json'];
  const form = requestBody.content['application/x-www-form-urlencoded'];
  const reference = (json ?? form)?.schema.$ref;
  if (reference === undefined) return { argument: ['body: RawBody'], fields: ['body'], types: [] };
  const type = nameOf(reference);
  if (type === 'EmptyBody') return undefined;
  if ('application/xml' in requestBody.content) {
    // The message alone is a string of XML.
    return {
      argument: [`body: ${type} | string`],
      fields: ['body', "textType: 'application/xml'"],
      types: [type],
    };
  }
  return {
    argument: [`body${mark}: ${type}`],
    fields: form === undefined ? ['body'] : ['body: formOf(body)'],
    types: [type],
  };
}

type Answer = {
  readonly call: 'call' | 'list' | 'lines' | 'raw';
  readonly type: string;
  readonly more: string;
  readonly types: readonly string[];
};

function answerOf(document: Document, operation: Operation, query: readonly Parameter[]): Answer {
  const [, response] = required(
    Object.entries(operation.responses).find(([status]) => status.startsWith('2')),
    `answer of ${operation.operationId}`,
  );
  const [mediaType, content] = Object.entries(response.content ?? {})[0] ?? [];
  if (content === undefined) return { call: 'call', type: 'ApiCall<void>', more: '', types: [] };
  if (mediaType === 'text/csv')
    return { call: 'raw', type: 'ApiCall<Response>', more: '', types: [] };
  const type = nameOf(required(content.schema.$ref, `schema of ${operation.operationId}`));
  if (mediaType === 'application/jsonl') {
    const key = required(lineKeys[operation.operationId], `line key of ${operation.operationId}`);
    return { call: 'lines', type: `LineStream<${type}>`, more: `, '${key}'`, types: [type] };
  }
  if (query.some(({ name }) => name === 'cursor')) {
    const item = itemOf(document, type);
    return { call: 'list', type: `Pager<${item}, ${type}>`, more: '', types: [type, item] };
  }
  return { call: 'call', type: `ApiCall<${type}>`, more: '', types: [type] };
}

function itemOf(document: Document, page: string): string {
  const schema = required(document.components.schemas[page], page);
  const { data } = schema['properties'] as { data: { items: { $ref?: string } } };
  return nameOf(required(data.items.$ref, `items of ${page}`));
}

function commentOf({ summary, description, deprecated, operationId }: Operation): string {
  const lines = [
    `${summary}.`,
    '',
    ...description.split('\n'),
    ...(deprecated ? ['', '@deprecated'] : []),
    '',
    `@see operation \`${operationId}\``,
  ];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n   */`;
}

export const className = (resource: string): string =>
  `${resource.split('.').map(capitalized).join('')}Resource`;
