/** The parts of the OpenAPI document that the SDK is made of. */

type Schema = { readonly $ref?: string; readonly [key: string]: unknown };
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
};
type Content = { readonly [mediaType: string]: { readonly schema: Schema } };
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly content?: Content } };
};
export type Document = {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly parameters: { readonly [name: string]: Parameter };
  };
};

export const nameOf = (reference: string): string =>
  reference.slice(reference.lastIndexOf('/') + 1);

export function parametersOf(document: Document, operation: Operation): readonly Parameter[] {
  return (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter
      ? required(document.components.parameters[nameOf(parameter.$ref)], parameter.$ref)
      : parameter,
  );
}

/** Deprecated parameters are left out: a new client has no use for them. */
export const queryOf = (document: Document, operation: Operation): readonly Parameter[] =>
  parametersOf(document, operation).filter(
    (parameter) => parameter.in === 'query' && parameter.schema['deprecated'] !== true,
  );

export function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The document has no ${what}.`);
  return value;
}

export const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

export const queryTypeOf = (operation: Operation): string =>
  `${capitalized(operation.operationId)}Query`;

export function operationsOf(document: Document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

/** A document of the schemas alone, with one more for the query of each operation that has one. */
export function schemasOnly(document: Document): Document {
  const queries = operationsOf(document).flatMap(({ operation }) => {
    const parameters = queryOf(document, operation);
    return parameters.length === 0 ? [] : [[queryTypeOf(operation), querySchema(parameters)]];
  });
  const schemas = { ...document.components.schemas, ...Object.fromEntries(queries) };
  return {
    openapi: document.openapi,
    info: document.info,
    servers: document.servers,
    paths: {},
    components: { schemas, parameters: {} },
  };
}

function querySchema(parameters: readonly Parameter[]): Schema {
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    schema.$ref === undefined ? { ...schema, description } : schema,
  ]);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    required: parameters.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : [])),
  };
}
