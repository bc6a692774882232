/** A call that this server refuses itself, before the API is asked. The model reads all three texts. */
export class ToolRefusal extends Error {
  readonly code: string;
  readonly cure: string;

  constructor({ code, message, cure }: { code: string; message: string; cure: string }) {
    super(message);
    this.code = code;
    this.cure = cure;
  }
}
