/** A copy with space for `needed` bytes or twice the old size: adding bytes one piece at a time copies each byte about once. */
export function growBuffer(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, bytes.length * 2));
  bytes.copy(larger);
  return larger;
}
