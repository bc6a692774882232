/** A value of the model that no message can say. `pointer` is its place in the model. */
export class UnsendableValue extends Error {
  override readonly name = 'UnsendableValue';
  readonly pointer: string;

  constructor(pointer: string, issue: string) {
    super(`${pointer === '' ? 'The message' : pointer} ${issue}.`);
    this.pointer = pointer;
  }
}
