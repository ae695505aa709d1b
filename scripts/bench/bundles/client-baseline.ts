import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Grants } from "../../../functions/http/route.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { projectDirectory } from "../../../lib/project-directory.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

/** Inside the project, so that the sources find its packages, and ignored by git. */
const sourceParent = join(projectDirectory, "node_modules/.cache");

/** A client of the SDK, and the commands that grants allow it to send. */
interface GrantedClient {
  readonly packageName: string;
  readonly className: string;
  readonly commands: readonly string[];
}

/**
 * Bundles, as our functions are bundled, what functions of the same grants cannot do without: the SDK's clients, made at
 * the top level as ours are, and the commands that may be sent.
 *
 * @returns the folder that holds `<id>/index.mjs` of each function
 */
export async function bundleBaselines(
  functions: readonly { readonly id: string; readonly grants: readonly Grants[] }[],
): Promise<string> {
  const sourceDirectory = createTemporaryDirectory(sourceParent);
  const sources = functions.map(async ({ id, grants }) => {
    const file = join(sourceDirectory, `${id}.mjs`);
    await writeFile(file, baselineCode(grants));
    return { id, file, exportName: "baseline" };
  });
  const outputDirectory = join(createTemporaryDirectory(), "functions");
  const { directory } = await bundleFunctions(await Promise.all(sources), outputDirectory);
  return directory;
}

function baselineCode(grants: readonly Grants[]): string {
  const clients = grantedClients(grants);
  const imports = clients.map(
    ({ packageName, className, commands }) =>
      `import { ${[className, ...commands].join(", ")} } from "${packageName}";\n`,
  );
  const values = clients.flatMap(({ className, commands }) => [`new ${className}({})`, ...commands]);
  return `${imports.join("")}const used = [${values.join(", ")}];\nexport const baseline = () => used;\n`;
}

function grantedClients(grants: readonly Grants[]): GrantedClient[] {
  const all = <Action extends string>(actionsOf: (grant: Grants) => readonly Action[] | undefined) =>
    [...new Set(grants.flatMap((grant) => actionsOf(grant) ?? []))].sort();
  const clients = [
    {
      packageName: "@aws-sdk/client-dynamodb",
      className: "DynamoDBClient",
      commands: all(({ table }) => table?.actions).map(tableCommand),
    },
    {
      packageName: "@aws-sdk/client-s3",
      className: "S3Client",
      commands: all(({ pages = [], blobs = [], stagedFiles = [] }) => [
        ...pages,
        ...blobs,
        ...stagedFiles,
      ]).map((action) => `${action}Command`),
    },
    {
      packageName: "@aws-sdk/client-ssm",
      className: "SSMClient",
      commands: all(({ secrets }) => secrets).includes("identityProvider") ? ["GetParameterCommand"] : [],
    },
    {
      packageName: "@aws-sdk/client-sqs",
      className: "SQSClient",
      commands: all(({ queues }) => queues).length > 0 ? ["SendMessageCommand"] : [],
    },
    {
      packageName: "@aws-sdk/client-cloudfront",
      className: "CloudFrontClient",
      commands: all(({ distribution }) => distribution).map((action) => `${action}Command`),
    },
    {
      packageName: "@aws-sdk/client-eventbridge",
      className: "EventBridgeClient",
      commands: grants.some(({ events }) => events) ? ["PutEventsCommand"] : [],
    },
    {
      packageName: "@aws-sdk/client-lambda",
      className: "LambdaClient",
      commands: grants.some(({ functions, operations }) => functions ?? operations) ? ["InvokeCommand"] : [],
    },
  ];
  return clients.filter(({ commands }) => commands.length > 0);
}

/** A condition check is a part of transactions only. */
function tableCommand(action: string): string {
  return action === "ConditionCheckItem" ? "TransactWriteItemsCommand" : `${action}Command`;
}
