/** What other slices may import from the royalties slice. */
export { enqueueFileRemovals } from './commands/remove-report-files.ts';
