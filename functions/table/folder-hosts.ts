/** Look-up of folders' hosts. `table.ts` provides it: a function without a grant on the table does not read such addresses. */
export const folderHosts: {
  /** Finds the slug of a host's folder. */
  findSlug?: (id: string) => Promise<string | undefined>;
} = {};
