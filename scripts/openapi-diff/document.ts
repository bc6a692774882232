/** Compares two OpenAPI documents of this API: paths, operations, parameters, bodies and answers. */

import { type Breach, breach, type Schema } from './breach.ts';
import { compareSchemas, type Comparison } from './schema.ts';

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
};

type Reference = { readonly $ref: string };

type Answer = { readonly headers?: object; readonly content?: Content };

type Operation = {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-tier'?: string;
};

/** Its body is read by the receiver of a partner. */
type Webhook = { readonly requestBody: { readonly content: Content } };

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

type Comparisons = { readonly request: Comparison; readonly response: Comparison };

/** Everything that a client of the old document could rely on and that the new one does not keep. */
export function compareDocuments(before: Document, after: Document): Breach[] {
  const shared = { resolveOld: resolverOf(before), resolveNew: resolverOf(after) };
  const comparisons: Comparisons = {
    request: { ...shared, direction: 'request' },
    response: { ...shared, direction: 'response' },
  };
  return [
    ...comparePaths(comparisons, withoutReferences(before), withoutReferences(after)),
    ...compareWebhooks(comparisons.response, before.webhooks, after.webhooks),
  ];
}

type Paths = ReturnType<typeof withoutReferences>;

function comparePaths(comparisons: Comparisons, oldPaths: Paths, newPaths: Paths): Breach[] {
  return Object.entries(oldPaths).flatMap(([path, methods]) => {
    const others = newPaths[path];
    if (others === undefined) return [breach('path_removed', path, 'is gone')];
    return Object.entries(methods).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const other = others[method];
      return other === undefined
        ? [breach('operation_removed', at, 'is gone')]
        : compareOperations(comparisons, operation, other, at);
    });
  });
}

function compareWebhooks(
  response: Comparison,
  before: Document['webhooks'] = {},
  after: Document['webhooks'] = {},
): Breach[] {
  return Object.entries(before).flatMap(([type, { post }]) => {
    const at = `webhook ${type}`;
    const other = after[type]?.post;
    return other === undefined
      ? [breach('operation_removed', at, 'is gone')]
      : compareContents(response, post.requestBody.content, other.requestBody.content, at);
  });
}

type ResolvedOperation = Omit<Operation, 'parameters' | 'responses'> & {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
};

/** The operations of a document, with their parameters and answers in place. */
function withoutReferences(document: Document) {
  const resolve = resolverOf(document);
  const resolveOperation = (operation: Operation): ResolvedOperation => ({
    ...operation,
    parameters: (operation.parameters ?? []).map(resolve<Parameter>),
    responses: mapValues(operation.responses, resolve<Answer>),
  });
  return mapValues(document.paths, (methods) => mapValues(methods, resolveOperation));
}

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  toValue: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toValue(value)]));

function resolverOf({ components }: Document) {
  return <Part extends object>(part: Part | Reference): Part => {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as Part;
    const [, , section = '', name = ''] = part.$ref.split('/');
    const found = components[section]?.[name];
    if (found === undefined) throw new Error(`${part.$ref} is not in the document`);
    return found as Part;
  };
}

function compareOperations(
  { request, response }: Comparisons,
  before: ResolvedOperation,
  after: ResolvedOperation,
  at: string,
): Breach[] {
  return [
    ...compareAccess(before, after, at),
    ...compareParameters(request, before, after, at),
    ...compareBodies(request, before, after, at),
    ...Object.entries(before.responses)
      .filter(([status]) => status < '400')
      .flatMap(([status, answer]) => {
        const place = `${at} ${status}`;
        const other = after.responses[status];
        if (other === undefined) return [breach('status_removed', place, 'is gone')];
        return [
          ...lostNames(answer.headers, other.headers).map((name) =>
            breach('header_removed', `${place} ${name}`, 'is gone'),
          ),
          ...compareContents(response, answer.content, other.content, place),
        ];
      }),
  ];
}

const lostNames = (before: object = {}, after: object = {}): string[] =>
  Object.keys(before).filter((name) => !Object.hasOwn(after, name));

function compareAccess(before: ResolvedOperation, after: ResolvedOperation, at: string): Breach[] {
  const scopes = after['x-scopes']?.filter(
    (scope) => before['x-scopes']?.includes(scope) === false,
  );
  const tier = after['x-tier'];
  return [
    ...(scopes ?? []).map((scope) => breach('scope_added', at, `now needs the scope ${scope}`)),
    ...(tier === undefined || tier === before['x-tier']
      ? []
      : [breach('tier_added', at, `now needs the tier ${tier}`)]),
  ];
}

const isSameAs =
  (one: Parameter) =>
  (other: Parameter): boolean =>
    one.name === other.name && one.in === other.in;

function compareParameters(
  comparison: Comparison,
  { parameters: before }: ResolvedOperation,
  { parameters: after }: ResolvedOperation,
  at: string,
): Breach[] {
  const kept = before.flatMap((parameter) => {
    const place = `${at} ${parameter.in} ${parameter.name}`;
    const other = after.find(isSameAs(parameter));
    if (other === undefined) return [breach('parameter_removed', place, 'is gone')];
    return compareSchemas(comparison, parameter.schema, other.schema, place);
  });
  const required = after.filter(
    (parameter) =>
      parameter.required === true && before.find(isSameAs(parameter))?.required !== true,
  );
  return [
    ...kept,
    ...required.map(({ in: place, name }) =>
      breach('parameter_required', `${at} ${place} ${name}`, 'is now required'),
    ),
  ];
}

function compareBodies(
  comparison: Comparison,
  { requestBody: before }: ResolvedOperation,
  { requestBody: after }: ResolvedOperation,
  at: string,
): Breach[] {
  const place = `${at} body`;
  const isNowRequired = after?.required === true && before?.required !== true;
  return [
    ...(isNowRequired ? [breach('body_required', place, 'is now required')] : []),
    ...(before !== undefined && after === undefined
      ? [breach('body_removed', place, 'is no longer accepted')]
      : compareContents(comparison, before?.content, after?.content, place)),
  ];
}

function compareContents(
  comparison: Comparison,
  before: Content = {},
  after: Content = {},
  at: string,
): Breach[] {
  return Object.entries(before).flatMap(([type, { schema = {} }]) => {
    const other = after[type];
    if (other === undefined) return [breach('content_type_removed', at, `is no longer ${type}`)];
    return compareSchemas(comparison, schema, other.schema ?? {}, at);
  });
}
