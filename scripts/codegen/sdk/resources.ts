/** The classes of the SDK with a method for every operation, one file for each resource. */

import { capitalized, type Document, operationsOf, required } from './document.ts';
import { className, type Method, methodOf } from './methods.ts';
import { methodNames } from './names.ts';

type Resource = { readonly name: string; readonly methods: Method[]; readonly parts: Set<string> };

/** The files by their names in `src/generated/resources`. */
export function generateResources(document: Document): ReadonlyMap<string, string> {
  const resources = [...resourcesOf(document).values()];
  return new Map(resources.map((resource) => [`${fileName(resource.name)}.ts`, fileOf(resource)]));
}

function resourcesOf(document: Document): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  const resourceNamed = (name: string): Resource => {
    const known = resources.get(name) ?? { name, methods: [], parts: new Set() };
    resources.set(name, known);
    return known;
  };
  for (const route of operationsOf(document)) {
    const { operationId } = route.operation;
    const path = required(methodNames[operationId], `name in the SDK for ${operationId}`).split(
      '.',
    );
    const method = path.pop() ?? '';
    resourceNamed(path.join('.')).methods.push(methodOf(document, route, method));
    const [resource = '', part] = path;
    if (part !== undefined) resourceNamed(resource).parts.add(part);
  }
  return resources;
}

/** `sandbox.clock` is in sandbox-clock.ts, `payoutMethods` in payout-methods.ts. */
const fileName = (resource: string): string =>
  resource.replaceAll('.', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const named = (names: readonly string[], source: string, names2: string): string[] => {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(source));
  return used.length === 0 ? [] : [`import ${names2}{ ${used.join(', ')} } from `];
};

function fileOf({ name, methods, parts }: Resource): string {
  const fields = [...parts].map(
    (part) => `  readonly ${part} = new ${className(`${name}.${part}`)}(this.client);`,
  );
  const source = [...fields, ...methods.map((method) => method.source)].join('\n\n');
  const types = [...new Set(methods.flatMap((method) => method.types))].toSorted();
  const core = '../../core';
  const imports = [
    ...named(['ApiCall'], source, 'type ').map((text) => `${text}'${core}/api-call.ts';`),
    ...named(['LineStream'], source, 'type ').map((text) => `${text}'${core}/line-stream.ts';`),
    ...named(['Pager'], source, 'type ').map((text) => `${text}'${core}/pager.ts';`),
    ...named(['RawBody', 'ReadOptions', 'RequestOptions', 'WriteOptions'], source, 'type ').map(
      (text) => `${text}'${core}/request.ts';`,
    ),
    `import { Resource } from '${core}/resource.ts';`,
    ...named(['formOf', 'segment'], source, '').map((text) => `${text}'${core}/url.ts';`),
    `import type { ${types.join(', ')} } from '../schema.ts';`,
    ...[...parts].map(
      (part) =>
        `import { ${className(`${name}.${part}`)} } from './${fileName(`${name}.${part}`)}.ts';`,
    ),
  ];
  return `${imports.join('\n')}\n\n/** ${capitalized(name)}. */\nexport class ${className(name)} extends Resource {\n${source}\n}\n`;
}
