/** Why the reader refuses a document before anything of it is interpreted. */
export type XmlRefusal =
  | 'xml_too_large'
  | 'xml_too_complex'
  | 'xml_too_deep'
  | 'xml_has_dtd'
  | 'xml_encoding_unsupported'
  | 'xml_not_well_formed';

/** The document is not read at all. `line` is 0 where no line is known. */
export class XmlRefused extends Error {
  override readonly name = 'XmlRefused';
  readonly code: XmlRefusal;
  readonly line: number;

  constructor(code: XmlRefusal, message: string, line = 0) {
    super(message);
    this.code = code;
    this.line = line;
  }
}
