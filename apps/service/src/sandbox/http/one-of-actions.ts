import { closed, documentedAs } from '../../platform/http/schema.ts';

type Alternative = {
  readonly action: string;
  /** The fields that the action uses. */
  readonly fields: readonly string[];
  /** Those that it needs. */
  readonly required: readonly string[];
};

/** `review_at_cut_off` → `ReviewAtCutOff`. */
const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** In the OpenAPI document an object with the field `action` has an alternative for each value of it. */
export function oneOfActions(
  title: string,
  properties: object & { readonly action: object },
  alternatives: readonly Alternative[],
) {
  const fieldsByName = new Map<string, object>(Object.entries(properties));
  const { description } = properties.action as { readonly description?: string };
  return documentedAs({
    title,
    description,
    discriminator: { propertyName: 'action' },
    oneOf: alternatives.map(({ action, fields, required }) => ({
      ...closed,
      title: `${title}${toPascalCase(action)}`,
      type: 'object',
      properties: {
        action: { type: 'string', const: action, description: `The action, always \`${action}\`.` },
        ...Object.fromEntries(fields.map((name) => [name, fieldsByName.get(name)])),
      },
      required: ['action', ...required],
    })),
  });
}
