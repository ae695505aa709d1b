import { ArchiveFolder } from "../archive/archive.ts";
import { exportAccount } from "../archive/export-account.ts";
import { importArchive } from "../archive/import-account.ts";
import { SourceAccount } from "../archive/source-account.ts";
import { exitCodes, Problem } from "../problem.ts";
import { Refusal } from "../service/client.ts";
import { withinSeconds } from "../service/fields.ts";
import { type ServiceOption, selectService, selectSource } from "../service/select-service.ts";
import { withProgress } from "../terminal/dialog.ts";
import { formatUtc, type Output, writeResult } from "../terminal/output.ts";
import { defaultFolder } from "./export.ts";

/** Publishes an export in another account. Reads the export from a folder, or first exports an account of another service. */
export async function importDrops(
  given: string | undefined,
  { service, from }: ServiceOption & { readonly from?: string },
  output: Output,
): Promise<void> {
  const client = await selectService(service);
  const source = from === undefined ? undefined : await selectSource(from);
  const path = given ?? (source === undefined ? undefined : defaultFolder(source.address));
  if (path === undefined)
    throw new Problem(
      "Import what? dropleaf import <folder of dropleaf export>, or dropleaf import --from <address of a service>",
      exitCodes.usage,
    );
  const folder = new ArchiveFolder(path);
  const imported = await withProgress(output, `Importing to ${client.address}`, async (update) => {
    if (source !== undefined) {
      const account = await SourceAccount.open(source.patient(update));
      await exportAccount(account, folder, (message) => update(`Exporting ${source.address}: ${message}`));
    }
    const archive = await folder.readArchive();
    return importArchive(folder, archive, client.patient(update), (message) =>
      update(`Importing to ${client.address}: ${message}`),
    ).catch((error) => {
      throw error instanceof Refusal && error.status === 429 ? toLimitProblem(error, path) : error;
    });
  });
  const { addresses, dropCount, newDropCount, newVersionCount, newFileCount, notImported, refused } =
    imported;
  const result = {
    ...{ folder: path, service: client.address, addresses, drops: dropCount },
    ...{ new_drops: newDropCount, new_versions: newVersionCount, new_files: newFileCount },
    ...{ not_carried: notImported, refused },
  };
  writeResult(output, result, [
    `${client.address} now has ${dropCount} drops from ${path}. New: ${newDropCount} drops, ${newVersionCount} versions and ${newFileCount} files.`,
    `Old and new addresses: ${addresses}`,
    ...notImported.map((sentence) => `Not imported: ${sentence}`),
    ...refused.map((sentence) => `Refused: ${sentence}`),
  ]);
  if (refused.length > 0)
    throw new Problem(
      "The service refused some content. The lines above say why. Correct it, and run the import again.",
    );
}

/** Maximum number of seconds until a limit resets. The longest limits are per day. */
const daySeconds = 86_400;

/** Creates the error for an import that has reached the daily write limit or a quota. */
function toLimitProblem({ message, details }: Refusal, path: string): Problem {
  const requested = Number(details.retry_after_seconds);
  const seconds = withinSeconds(requested, 0, daySeconds);
  const when = requested === seconds ? ` after ${formatUtc(Date.now() + seconds * 1000)} UTC` : " later";
  return new Problem(
    `${message} Everything imported so far stays. To continue, run dropleaf import ${path} again${when}.`,
  );
}
