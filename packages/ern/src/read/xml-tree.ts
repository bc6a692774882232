/** An element as plain data: it stays valid after the parser's own memory was released. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** The prefix of the root element, for XPaths; the elements inside a DDEX message have none. */
  readonly prefix: string;
  /** Attributes without a namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text as sent, with its white space; empty for an element that has child elements. */
  readonly text: string;
  readonly line: number;
  readonly parent: XmlElement | undefined;
  /** The place among the siblings of the same name, from 1. */
  readonly position: number;
}

export interface XmlRoot extends XmlElement {
  readonly namespace: string;
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element === undefined ? [] : element.children.filter((child) => child.name === name);
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Follows child names: `descendantOf(release, 'ReleaseId', 'ICPN')`. */
export function descendantOf(
  element: XmlElement | undefined,
  ...path: readonly string[]
): XmlElement | undefined {
  return path.reduce<XmlElement | undefined>((at, name) => childOf(at, name), element);
}

/** A code, an identifier or a date: white space around it carries no meaning. An empty element counts as absent. */
export function tokenOf(element: XmlElement | undefined): string | undefined {
  const token = element?.text.trim();
  return token === '' ? undefined : token;
}

/** Text that people read, exactly as sent. */
export function textOf(element: XmlElement | undefined): string | undefined {
  return element?.text;
}

/** `/ern:NewReleaseMessage/ResourceList/SoundRecording[2]`, in the form that libxml2 uses for its own errors. */
export function xpathOf(element: XmlElement): string {
  const { parent, name, position } = element;
  if (parent === undefined) {
    return `/${element.prefix === '' ? name : `${element.prefix}:${name}`}`;
  }
  const isOnly = position === 1 && childrenOf(parent, name).length === 1;
  return `${xpathOf(parent)}/${name}${isOnly ? '' : `[${position}]`}`;
}
