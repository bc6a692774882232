import type { FileStatus, Finding } from './finding.ts';
import { childrenOf, textOf, tokenOf, type XmlElement, xpathOf } from './xml-tree.ts';

const unreadMax = 200;
const findingsMax = 100;

/** What reading a message brings to light besides its content. */
export class ReadLog {
  readonly findings: Finding[] = [];
  /** False if something is missing that the model cannot do without. */
  isComplete = true;
  readonly #read = new Set<XmlElement>();

  markRead(element: XmlElement): void {
    this.#read.add(element);
  }

  report(at: XmlElement, message: string, code: FileStatus = 'MetadataMissing'): void {
    if (this.findings.length < findingsMax) {
      this.findings.push({ code, message, xpath: xpathOf(at) });
    }
  }

  /** Reports what the model cannot do without: the message as a whole can then not be given. */
  missing(at: XmlElement, message: string, code?: FileStatus): void {
    this.isComplete = false;
    this.report(at, message, code);
  }

  /** The XPaths of elements that the model has no place for, without those inside of them. */
  unreadBelow(root: XmlElement): string[] {
    const unread: string[] = [];
    const visit = (element: XmlElement): void => {
      for (const child of element.children) {
        if (unread.length >= unreadMax) {
          return;
        }
        if (this.#read.has(child)) {
          visit(child);
        } else {
          unread.push(xpathOf(child));
        }
      }
    };
    visit(root);
    return unread;
  }
}

/** An element that remembers which of its children were asked for. */
export class ElementReader {
  readonly element: XmlElement;
  readonly log: ReadLog;

  constructor(element: XmlElement, log: ReadLog) {
    this.element = element;
    this.log = log;
    log.markRead(element);
  }

  /** Those that `isWanted` does not want stay unread. */
  children(name: string, isWanted: (child: XmlElement) => boolean = () => true): ElementReader[] {
    return childrenOf(this.element, name)
      .filter(isWanted)
      .map((child) => new ElementReader(child, this.log));
  }

  /** The first one; the others stay unread. */
  child(name: string): ElementReader | undefined {
    const [first] = childrenOf(this.element, name);
    return first && new ElementReader(first, this.log);
  }

  /** Of elements that differ by territory, the one for the world. */
  worldwide(name: string): ElementReader | undefined {
    const all = childrenOf(this.element, name);
    const chosen =
      all.find(({ attributes }) => attributes.get('IsDefault') === 'true') ??
      all.find(({ attributes }) => attributes.get('ApplicableTerritoryCode') === 'Worldwide') ??
      all[0];
    return chosen && new ElementReader(chosen, this.log);
  }

  /** Follows names of children to one without white space around it: a code, an identifier, a date. */
  token(...path: readonly string[]): string | undefined {
    return tokenOf(this.#descend(path)?.element);
  }

  /** Text for people, exactly as sent. An empty element says nothing. */
  text(...path: readonly string[]): string | undefined {
    const text = textOf(this.#descend(path)?.element);
    return text?.trim() === '' ? undefined : text;
  }

  tokens(name: string): string[] {
    return this.children(name).flatMap((child) => child.token() ?? []);
  }

  attribute(name: string): string | undefined {
    return this.element.attributes.get(name);
  }

  /** Marks elements as read that say nothing which the model does not know already. */
  skip(...names: readonly string[]): void {
    for (const name of names) {
      this.children(name);
    }
  }

  /** Returns the value, or reports that it is missing and returns what keeps the reading going. */
  require<T>(value: T | undefined, name: string, fallback: T, code?: FileStatus): T {
    if (value === undefined) {
      this.log.missing(this.element, `${name} is missing or has no valid value.`, code);
      return fallback;
    }
    return value;
  }

  #descend(path: readonly string[]): ElementReader | undefined {
    return path.reduce<ElementReader | undefined>((at, name) => at?.child(name), this);
  }
}
