import { keys } from "../platform/keys.ts";
import { getItem } from "../platform/table.ts";
import { findAtWhereabouts, toWhereabouts, type Whereabouts } from "../platform/whereabouts.ts";
import type { Blob } from "./blob.ts";
import { toBlob } from "./store.ts";

/** Files by their addresses, which outlast that an operator gives them to another account; nothing here writes. */
export const servedFiles = {
  /** Whose the file of an address is or was; undefined where nobody has the namespace, or nobody any more. */
  async findWhereabouts(namespace: string, id: string): Promise<Whereabouts | undefined> {
    const [pointer, owner] = await Promise.all([
      getItem(keys.filePointer(namespace, id)),
      getItem(keys.namespace(namespace)),
    ]);
    if (pointer !== undefined) return toWhereabouts(pointer);
    // What never went elsewhere is where it was published.
    return owner?.userId === undefined ? undefined : { ownerId: owner.userId as string, transferCount: 0 };
  },

  /** The file of an address, whosever it is; undefined where there is none. */
  async find(namespace: string, id: string): Promise<Blob | undefined> {
    const again = () => servedFiles.findWhereabouts(namespace, id);
    const at = async ({ ownerId }: Whereabouts) => {
      const item = await getItem(keys.blob(ownerId, id));
      // An account's own file may have the id that one of another namespace has.
      return item?.namespace === namespace ? toBlob(item) : undefined;
    };
    return (await findAtWhereabouts(await again(), { again, at }))?.found;
  },
};
