import { ArchiveFolder } from "../archive/archive.ts";
import { exportAccount } from "../archive/export-account.ts";
import { SourceAccount } from "../archive/source-account.ts";
import { Problem } from "../problem.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { withProgress } from "../terminal/dialog.ts";
import { type Output, writeResult } from "../terminal/output.ts";

/** Exports an account into a folder of readable files, or updates the folder. */
export async function exportDrops(
  given: string | undefined,
  { service }: ServiceOption,
  output: Output,
): Promise<void> {
  const client = await selectService(service);
  const folder = new ArchiveFolder(given ?? defaultFolder(client.address));
  const progress = `Exporting ${client.address}`;
  const { drops, files, left_out } = await withProgress(output, progress, async (update) => {
    const account = await SourceAccount.open(client.patient(update));
    return exportAccount(account, folder, (message) => update(`${progress}: ${message}`));
  });
  const result = {
    ...{ folder: folder.path, service: client.address, drops: drops.length, files: files.length },
    ...{ written: folder.writtenCount, left_out },
  };
  writeResult(output, result, [
    `${drops.length} drops and ${files.length} files of ${client.address} are in ${folder.path}; ${folder.writtenCount} of its files were written now.`,
    ...left_out.map((sentence) => `Left out: ${sentence}`),
  ]);
  if (left_out.length > 0) throw new Problem("The export is incomplete. The lines above say why.");
}

/** Returns the default name of the export's folder, in the working directory. */
export function defaultFolder(address: string): string {
  return `dropleaf-export-${new URL(address).host.replace(":", "-")}`;
}
