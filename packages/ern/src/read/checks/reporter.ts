import type { FileStatus, Finding } from '../finding.ts';
import { type XmlElement, xpathOf } from '../xml-tree.ts';

/** More would help nobody, and a hostile message could have one per element. */
const findingsMax = 100;

export class Reporter {
  readonly findings: Finding[] = [];

  report(code: FileStatus, at: XmlElement, message: string): void {
    if (this.findings.length < findingsMax) {
      this.findings.push({ code, message, xpath: xpathOf(at) });
    }
  }
}
