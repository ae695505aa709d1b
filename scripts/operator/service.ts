import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CloudFormation, CloudFormationServiceException, type Stack } from "@aws-sdk/client-cloudformation";
import { STS } from "@aws-sdk/client-sts";
import { moveClock } from "@dropleaf/local-cloud/clock";
import { type OperatorAccess, operatorAccessFile } from "@dropleaf/local-cloud/operator-access";
import { environmentNames } from "../../functions/core/environment.ts";
import type { Site } from "../../functions/http/site.ts";
import type { Act, Actor, ActSubject } from "../../functions/table/audit.ts";
import { appendToAudit } from "../../functions/table/audit-trail.ts";
import { type OutputValues, optionalOutputs, outputNames } from "../../lib/output-names.ts";
import { dataFormat } from "../../lib/service-version.ts";
import { edgeRegion } from "../../lib/settings.ts";
import {
  alignColumns,
  type Command,
  type CommandInput,
  type CommandText,
  defineCommand,
  type OptionTexts,
  type OptionValues,
  type Terminal,
  UsageError,
} from "./command.ts";

/** Options of every command that works on a service. */
export const serviceOptions = {
  "stack <name>": "the service of a CloudFormation stack, with the default credentials of the AWS SDK",
  "region <name>": `the region of that stack (${edgeRegion})`,
  "local <folder>": "the service of a running local cloud, by its data folder (npm start: .dropleaf)",
} as const;

/** Values of the options that select a service. */
type ServiceChoice = Partial<OptionValues<typeof serviceOptions>>;

/** The service that a command works on. */
export type Service = Site &
  OutputValues & {
    /** Maximum duration of a request, in milliseconds. */
    readonly requestMsMax: number;
    /** Resolves to the ARN of the credentials in use. */
    getOperatorArn(): Promise<string>;
  };

/** Functions shared by all commands that work on a service. */
export interface Work {
  readonly service: Service;
  readonly terminal: Terminal;
  print(line: string): void;
  /** Prints lines, or rows of cells in columns, and then a line with the total. */
  printAll(rows: readonly (string | readonly string[])[], sum?: string): void;
  /** Creates the record of an operator's action. `auditWrite` adds its audit entry to a transaction. */
  action(name: OperatorActionName): Promise<OperatorAction>;
  /** Writes an audit entry before an action without a transaction. */
  audit(name: OperatorActionName, subject?: ActSubject): Promise<void>;
  /** Asks the operator to type a name before a deletion or replacement, unless `--yes` is given. Throws for a different name. */
  confirm(name: string, warning: string): Promise<void>;
}

/** Creates a command that works on a service. */
export function defineServiceCommand<Texts extends OptionTexts = Record<never, string>>(
  declaration: CommandText<Texts> & { run(work: Work & CommandInput<Texts>): Promise<unknown> },
): Command {
  return defineCommand({
    ...declaration,
    options: { ...serviceOptions, ...declaration.options },
    async run(input, terminal) {
      const options = input.options as OptionValues<Texts> & ServiceChoice & { yes?: boolean };
      const service = await openService(options);
      return declaration.run({
        ...input,
        options,
        service,
        terminal,
        print: (line) => terminal.print(line),
        printAll(rows, sum) {
          const lines = alignColumns(rows.map((row) => [row].flat()));
          for (const line of sum === undefined ? lines : [...lines, sum]) terminal.print(line);
        },
        action: (name) => createOperatorAction(service, name),
        audit: async (name, subject = {}) =>
          appendToAudit(await createOperatorAction(service, name), subject),
        async confirm(name, warning) {
          terminal.print(warning);
          const typed = options.yes ? name : await terminal.ask(`Type ${name} to go on: `);
          if (typed !== name)
            throw new UsageError(`${JSON.stringify(typed)} is not ${name}. Nothing was changed.`);
        },
      });
    },
  });
}

/** Actions of operators that are recorded in the audit trail. */
export const operatorActions = [
  "add-hold",
  "add-member",
  "ban",
  "create-scim-token",
  "create-team",
  "delete-account",
  "delete-reads",
  "end-sessions",
  "recount",
  "reindex",
  "release-scim-user",
  "remove-answer",
  "remove-feedback",
  "remove-hold",
  "remove-member",
  "remove-team-role",
  "restore",
  "restrict-visibility",
  "retention",
  "revoke-scim-token",
  "revoke-token",
  "rotate-cookie-key",
  "rotate-webhook-secret",
  "scan-secrets",
  "set-team-role",
  "suspend",
  "sweep",
  "takedown",
  "transfer",
  "unban",
  "unsuspend",
] as const;

type OperatorActionName = (typeof operatorActions)[number];

/** Record of an operator's action, with the ARN of the operator's credentials. */
export interface OperatorAction extends Act {
  readonly actor: Extract<Actor, { readonly kind: "operator" }>;
}

/** Creates the record of an operator's action at the current time. */
export async function createOperatorAction(
  service: Service,
  action: OperatorActionName,
): Promise<OperatorAction> {
  return { action, actor: { kind: "operator", name: await service.getOperatorArn() }, atMs: Date.now() };
}

/** ARN of the local cloud's only administrator. The local cloud has no STS. */
const localOperator = "arn:aws:iam::000000000000:user/administrator";

/** Finds the service that the options name, and sets the environment variables of the stores and the AWS SDK. */
export async function openService({ stack, region = edgeRegion, local }: ServiceChoice): Promise<Service> {
  if ((stack === undefined) === (local === undefined))
    throw new UsageError("Choose the service with --stack <name> or --local <data folder>.");
  if (local === undefined) process.env.AWS_REGION = region;
  const outputs = local === undefined ? await fetchStackOutputs(stack ?? "") : await openLocal(local);
  const service: Service = {
    ...readOutputs(outputs),
    // The functions of a stack have a timeout of 28 s.
    requestMsMax: local === undefined ? 28_000 : 200,
    getOperatorArn: async () => (local === undefined ? (await getIdentity()).arn : localOperator),
  };
  const { dataFormat: stored = "1", version } = service;
  // Refuses a later data format, because this version does not know all attributes of its table items.
  if (Number(stored) > dataFormat)
    throw new Error(
      `The stack has data format ${stored}, and this version reads up to format ${dataFormat}. Run this command from a checkout of version ${version}.`,
    );
  for (const [key, variable] of Object.entries(environmentNames)) {
    if (!(key in outputNames)) continue;
    const value = service[key as keyof OutputValues];
    // Deletes the variable, because this process may have set it for another service.
    if (value === undefined) delete process.env[variable];
    else process.env[variable] = value;
  }
  return service;
}

/** Gets the account and ARN of the credentials. Needs no permission; see "GetCallerIdentity", AWS STS API reference. */
export async function getIdentity(): Promise<{ account: string; arn: string }> {
  const { Account, Arn } = await new STS({ region: edgeRegion }).getCallerIdentity({});
  return { account: Account ?? "", arn: Arn ?? "" };
}

async function openLocal(folder: string): Promise<StackOutputs> {
  const file = join(folder, operatorAccessFile);
  if (!existsSync(file))
    throw new Error(`${file} does not exist. Start the local cloud, which writes this file, with npm start.`);
  const access = JSON.parse(readFileSync(file, "utf8")) as OperatorAccess;
  const { awsEndpointUrl, administrator, clockOffsetSeconds = 0, outputs } = access;
  moveClock(clockOffsetSeconds);
  // Checks that the local cloud responds, because the file may be left over from a local cloud that was killed.
  await fetch(awsEndpointUrl).catch(() => {
    throw new Error(`The local cloud of ${folder} is not running. Start it with npm start.`);
  });
  process.env.AWS_REGION = edgeRegion;
  process.env.AWS_ENDPOINT_URL = awsEndpointUrl;
  process.env.AWS_ACCESS_KEY_ID = administrator.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = administrator.secretAccessKey;
  // The SDK would add a session token to the keys, and would prefer a profile to the keys.
  delete process.env.AWS_SESSION_TOKEN;
  delete process.env.AWS_PROFILE;
  return outputs;
}

function readOutputs(outputs: StackOutputs): OutputValues {
  const mayBeMissing = optionalOutputs.map((key): string => outputNames[key]);
  const isMissing = (name: string) => !mayBeMissing.includes(name) && outputs[name] === undefined;
  const missing = Object.values(outputNames).filter(isMissing);
  if (missing.length > 0)
    throw new Error(`The stack has no output ${missing.join(", ")}. Deploy this version first.`);
  const entries = Object.entries(outputNames).map(([key, name]) => [key, outputs[name]]);
  return Object.fromEntries(entries) as OutputValues;
}

/** Outputs of a stack, by name. */
type StackOutputs = Readonly<Record<string, string>>;

/** Fetches a stack's outputs from CloudFormation, in the region `AWS_REGION`. Throws an Error with CloudFormation's message. */
export async function fetchStackOutputs(stackName: string): Promise<StackOutputs> {
  try {
    const { Stacks: [stack] = [] } = await new CloudFormation().describeStacks({ StackName: stackName });
    return outputsOf(stack);
  } catch (error) {
    if (!(error instanceof CloudFormationServiceException)) throw error;
    throw new Error(`CloudFormation did not return the outputs of the stack ${stackName}: ${error.message}`);
  }
}

/** Reads the outputs from CloudFormation's description of a stack. */
export function outputsOf(stack: Stack | undefined): StackOutputs {
  const outputs = stack?.Outputs ?? [];
  return Object.fromEntries(outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]));
}
