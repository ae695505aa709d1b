import { open } from "node:fs/promises";

/** Makes a rename or removal durable; Windows cannot open a folder for that. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  try {
    await directory?.sync();
  } finally {
    await directory?.close();
  }
}
