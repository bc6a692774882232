const batchesMax = 20;

/** Short statements instead of one long one bound the locks and the work of a round. The next round removes the rest. */
export async function removeInBatches(
  batchMax: number,
  remove: (limit: number) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) {
    if ((await remove(batchMax)) < batchMax) return;
  }
}
