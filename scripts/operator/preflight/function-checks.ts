import { Lambda, paginateListFunctions } from "@aws-sdk/client-lambda";
import { SignatureV4 } from "@smithy/signature-v4";
import { concurrentExecutionsDefault } from "../../../functions/core/environment.ts";
import { ingestEnvironmentsMax } from "../../../functions/ingest/rows.ts";
import { visitorConcurrencySum } from "../../../lib/lambda/visitor-concurrency.ts";
import { areRendered, ingestLimitOf, renderConcurrencyMax, type Settings } from "../../../lib/settings.ts";
import { everyItem, fails, type Result, undefinedFor, warns, well } from "./finding.ts";
import type { Plan } from "./plan.ts";

/** Number of executions that an account must leave unreserved; see "Configuring reserved concurrency", AWS Lambda developer guide. */
const unreservedMin = 100;
/** Minimum number of concurrent executions for a team. One person with a page and an agent uses several at once. */
const teamConcurrencyMin = 100;
/** Usual limit of concurrent executions of an account. New accounts have a limit of 10; see "Lambda quotas", AWS Lambda developer guide. */
const usualConcurrency = 1_000;

export async function checkConcurrency({ region, settings }: Plan): Promise<Result> {
  const { AccountLimit } = await new Lambda({ region }).getAccountSettings({});
  const { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
  if (limit === undefined || unreserved === undefined) throw new Error("Lambda returned no limit.");
  const todo = `Request ${usualConcurrency} in Service Quotas, AWS Lambda, "Concurrent executions". Approval takes about a day.`;
  const reserved = visitorConcurrencySum(settings.visitorConcurrencyMax ?? 0);
  if (reserved > 0 && unreserved - reserved < unreservedMin) {
    const says = `visitorConcurrencyMax would reserve ${reserved} of the ${unreserved} unreserved executions, but ${unreservedMin} must stay unreserved`;
    return fails(says, `${todo} Until then, leave out visitorConcurrencyMax.`);
  }
  if (limit < teamConcurrencyMin && settings.members !== undefined)
    return fails(
      `the account has ${limit} concurrent executions, but a team (\`members\`) needs ${teamConcurrencyMin}`,
      todo,
    );
  if (limit < usualConcurrency) {
    const says = `the account has ${limit} concurrent executions${whileRendering(settings, limit)}; the service can be deployed, but refuses further concurrent requests with 503 or 429`;
    return warns(says, todo);
  }
  const { concurrentExecutions: set = concurrentExecutionsDefault } = settings;
  if (set > limit) {
    const says = `the account has ${limit} concurrent executions, but the setting concurrentExecutions is ${set}`;
    return warns(says, `Set concurrentExecutions: ${limit}.`);
  }
  const more =
    set < limit
      ? `; with concurrentExecutions: ${limit} in the settings, the API takes more requests and more agents can wait`
      : "";
  return well(`${limit}${whileRendering(settings, limit)}${more}`);
}

/** Describes how much of the account's concurrency renders use. Recommends a `renderConcurrency` that uses at most a tenth. */
function whileRendering({ renderConcurrency = 1, ...settings }: Settings, limit: number): string {
  if (!areRendered(settings)) return "";
  const recommended = Math.min(Math.max(Math.floor(limit / 10) - 1, 1), renderConcurrencyMax);
  const advice =
    recommended === renderConcurrency
      ? ""
      : `; renderConcurrency is ${renderConcurrency}, ${recommended} is recommended`;
  return `, ${renderConcurrency + 1} of them in use while pages are rendered${advice}`;
}

/** Checks for existing functions whose names this stack needs, or that this stack's API could invoke because of their names. */
export async function checkFunctionNames(plan: Plan): Promise<Result> {
  const client = new Lambda({ region: plan.region });
  const functions = await everyItem(paginateListFunctions({ client }, {}), "Functions");
  const existing = functions.map(({ FunctionName: name = "" }) => name);
  const own = plan.namesOf("AWS::Lambda::Function");
  const taken = existing.filter((name) => own.includes(name));
  const todo = "Delete them, or choose another `stackName`.";
  if (taken.length > 0) return fails(`there are already ${listed(taken)}, from an earlier stack`, todo);
  const alike = existing.filter((name) => name.startsWith(`${plan.stackName}_`));
  if (alike.length === 0) return well(`none of the ${own.length} names is taken`);
  const says = `the stack's API could also invoke ${listed(alike)}, because of their names`;
  return warns(says, todo);
}

function listed(names: readonly string[]): string {
  const [shown, left] = [names.slice(0, 5).join(", "), names.length - 5];
  return left > 0 ? `${shown} and ${left} more` : shown;
}

/** CloudFormation type of Web Functions. */
export const webFunctionType = "AWS::Lambda::WebFunction";
/** Advice for a region or an account without Web Functions. */
export const withoutWebFunctions =
  'Set `ingest: "none"`. The service then refuses bodies above 3 MB, and large files are uploaded in steps.';

/** Number of vCPUs of one execution environment; see "Lambda quotas", Web Functions, AWS Lambda developer guide. */
const vcpusPerEnvironment = 2;

export async function checkWebFunctions(plan: Plan, isNew: boolean): Promise<Result> {
  const { region, settings } = plan;
  const response = await getFromLambda(region, "web-account-settings").catch((error: Error) => {
    // Regions without Web Functions respond with this message, regardless of the caller's permissions.
    if (error.message.includes("Unable to determine service/operation name")) return undefined;
    throw error;
  });
  if (response === undefined) return fails(`${region} has no Web Functions`, withoutWebFunctions);
  // See "AccountQuotas", Lambda Web API reference.
  const { maxTotalArmVCpus: vcpus, maxTotalRateLimit: rate } = JSON.parse(response).accountQuotas;
  const has = `the account has ${vcpus} vCPUs and ${rate} requests a second for Web Functions`;
  if (vcpus < vcpusPerEnvironment || rate === 0) return fails(has, withoutWebFunctions);
  for (const name of isNew ? plan.namesOf(webFunctionType) : []) {
    const isMissing = undefinedFor("ResourceNotFoundException");
    if (await getFromLambda(region, `web-functions/${name}`).catch(isMissing)) {
      const todo = "Delete it, or choose another `stackName`.";
      return fails(`there is already ${name}, from an earlier stack`, todo);
    }
  }
  const wanted = vcpusPerEnvironment * ingestEnvironmentsMax;
  const { requestsPerSecondMax = 0 } = ingestLimitOf(settings) ?? {};
  if (vcpus >= wanted && rate >= requestsPerSecondMax) return well(has);
  const says = `${has}; with fewer than ${wanted} and ${requestsPerSecondMax}, the server for large bodies accepts fewer bodies at once`;
  return warns(says, "Request more in Service Quotas, AWS Lambda.");
}

/**
 * Sends a GET request to the Lambda Web API, which no AWS SDK client on npm supports; see "GetWebAccountSettings" and "GetWebFunction",
 * Lambda Web API reference.
 *
 * @throws Error with the response body, unless the status is 200
 */
async function getFromLambda(region: string, path: string): Promise<string> {
  const { credentials, sha256 } = new Lambda({ region }).config;
  const endpoint = process.env.AWS_ENDPOINT_URL ?? `https://lambda.${region}.amazonaws.com`;
  const { protocol, hostname, host, pathname, href } = new URL(`/2025-03-07/${path}`, endpoint);
  const signer = new SignatureV4({ service: "lambda", region, credentials, sha256 });
  const request = { method: "GET", protocol, hostname, path: pathname, headers: { host } };
  const { headers } = await signer.sign(request);
  const response = await fetch(href, { headers });
  const text = await response.text();
  if (response.status === 200) return text;
  const [, inBody] = /"__type": ?"([^"]+)"/.exec(text) ?? [];
  const name = response.headers.get("x-amzn-errortype") ?? inBody ?? `HTTP ${response.status}`;
  throw Object.assign(new Error(text.slice(0, 500)), { name });
}
