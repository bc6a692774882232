const batchesMax = 20;

/** Short statements instead of one long one: locks and the work of a round stay bounded. The next round goes on. */
export async function removeInBatches(
  batchMax: number,
  remove: (most: number) => Promise<number>,
): Promise<void> {
  for (let batch = 0; batch < batchesMax; batch++) {
    if ((await remove(batchMax)) < batchMax) return;
  }
}
