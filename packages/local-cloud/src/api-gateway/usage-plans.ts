import { randomBytes } from "node:crypto";
import { resolveDynamicReferences, type SecretReader } from "../dynamic-references.ts";
import { type Resource, resourcesOfType, type Template } from "../template.ts";
import { createTokenBucket, type TokenBucket } from "./throttling.ts";

/** An API key that a request sent. */
export interface ApiKey {
  readonly id: string;
  readonly value: string;
}

/** Gateway responses to a request whose key is not in a plan of the stage, or whose plan's limits are exceeded. */
type PlanFailure = "INVALID_API_KEY" | "THROTTLED" | "QUOTA_EXCEEDED";

interface UsagePlan {
  /** Stages of the plan, as `<API id>/<stage name>`. */
  readonly stages: readonly string[];
  readonly quota: number | undefined;
  readonly throttle: { readonly rate: number; readonly burst: number } | undefined;
}

/** Format of an API key, 20 to 128 alphanumeric characters; see "Usage plans and API keys for REST APIs in API Gateway". */
const valuePattern = /^[A-Za-z0-9]{20,128}$/;

/** Maximum value of a quota, which the API reference defines as an Integer (32 bits). */
const quotaMax = 2 ** 31 - 1;

const dayMs = 86_400_000;

/**
 * Reads the API keys and usage plans of a template. Throttles and quotas apply to each key. A quota's day is a UTC day, and a restart
 * resets the quota. Sources: "Usage plans and API keys for REST APIs in API Gateway", API Gateway developer guide;
 * AWS::ApiGateway::ApiKey, UsagePlan and UsagePlanKey, CloudFormation template reference.
 *
 * @returns a function that counts a request to a stage with a value of `x-api-key`, and returns the API key or the failure
 * @throws Error that names a resource that API Gateway would not create
 */
export function createUsagePlans(template: Template, readSecret: SecretReader) {
  const keys = resourcesOfType(template, "AWS::ApiGateway::ApiKey").map((one) => parseKey(one, readSecret));
  requireDistinctValues(keys);
  const usagePlans = resourcesOfType(template, "AWS::ApiGateway::UsagePlan");
  const plans = new Map(usagePlans.map((one) => [one.physicalId, parsePlan(one, template)]));
  const takesOfStages = new Map<string, Map<string, () => ApiKey | PlanFailure>>();
  for (const { logicalId, properties } of resourcesOfType(template, "AWS::ApiGateway::UsagePlanKey")) {
    const { KeyId, KeyType, UsagePlanId } = properties;
    if (KeyType !== "API_KEY")
      throw new Error(`${logicalId}.KeyType is ${JSON.stringify(KeyType)}; write API_KEY`);
    const key = keys.find(({ id }) => id === KeyId);
    if (key === undefined)
      throw new Error(`${logicalId}.KeyId: the template has no API key ${String(KeyId)}`);
    const plan = plans.get(String(UsagePlanId));
    if (plan === undefined)
      throw new Error(`${logicalId}.UsagePlanId: the template has no usage plan ${String(UsagePlanId)}`);
    const take = key.isEnabled ? meter(key, plan) : () => "INVALID_API_KEY" as const;
    for (const stage of plan.stages) {
      const takes = takesOfStages.get(stage) ?? new Map();
      if (takes.has(key.value))
        throw new Error(
          `${logicalId}: the API key is already in a plan of ${stage}; a stage allows one plan for each key`,
        );
      takesOfStages.set(stage, takes.set(key.value, take));
    }
  }
  return (apiId: string, stageName: string, value: string | undefined): ApiKey | PlanFailure =>
    takesOfStages.get(`${apiId}/${stageName}`)?.get(value ?? "")?.() ?? "INVALID_API_KEY";
}

/** Counts the requests of one key against its plan. */
function meter({ id, value }: ApiKey, { quota, throttle }: UsagePlan): () => ApiKey | PlanFailure {
  const take: TokenBucket =
    throttle === undefined ? () => true : createTokenBucket(throttle.rate, throttle.burst);
  let day = 0;
  let used = 0;
  return () => {
    if (!take()) return "THROTTLED";
    const today = Math.floor(Date.now() / dayMs);
    if (today !== day) [day, used] = [today, 0];
    if (quota !== undefined && used >= quota) return "QUOTA_EXCEEDED";
    used += 1;
    return { id, value };
  };
}

function parseKey(
  { logicalId, physicalId, properties }: Resource,
  readSecret: SecretReader,
): ApiKey & { readonly isEnabled: boolean } {
  const { Value, Enabled, StageKeys } = properties;
  if (StageKeys !== undefined)
    throw new Error(`${logicalId}.StageKeys is deprecated: put the key into a usage plan`);
  const value =
    Value === undefined
      ? randomBytes(20).toString("hex")
      : resolveDynamicReferences(String(Value), readSecret);
  if (!valuePattern.test(value))
    throw new Error(
      `${logicalId}.Value has ${value.length} characters; an API key is 20 to 128 letters and digits`,
    );
  return { id: physicalId, value, isEnabled: Enabled === true };
}

/** Refuses keys with equal values, which API Gateway treats as the same key. */
function requireDistinctValues(keys: readonly ApiKey[]): void {
  for (const { id, value } of keys) {
    const other = keys.find((one) => one.value === value);
    if (other !== undefined && other.id !== id)
      throw new Error(`${id}.Value is the same as that of ${other.id}; values must be unique`);
  }
}

function parsePlan({ logicalId, properties }: Resource, template: Template): UsagePlan {
  const { ApiStages = [], Quota, Throttle } = properties;
  const stages = (ApiStages as Values[]).map(({ ApiId, Stage, Throttle: own }) => {
    if (own !== undefined) throw new Error(`${logicalId}.ApiStages: method throttling is not emulated`);
    const isStage = ({ physicalId, properties: { RestApiId } }: Resource) =>
      physicalId === Stage && RestApiId === ApiId;
    if (!resourcesOfType(template, "AWS::ApiGateway::Stage").some(isStage))
      throw new Error(`${logicalId}.ApiStages: the API ${String(ApiId)} has no stage ${String(Stage)}`);
    return `${String(ApiId)}/${String(Stage)}`;
  });
  return {
    stages,
    quota: Quota === undefined ? undefined : parseQuota(Quota as Values, `${logicalId}.Quota`),
    throttle: Throttle === undefined ? undefined : parseThrottle(Throttle as Values, `${logicalId}.Throttle`),
  };
}

type Values = Readonly<Record<string, unknown>>;

function parseQuota({ Limit, Period, Offset = 0 }: Values, at: string): number {
  if (Period !== "DAY" || Offset !== 0)
    throw new Error(`${at}: only the period DAY without an offset is emulated`);
  const limit = Number(Limit);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= quotaMax))
    throw new Error(`${at}.Limit is ${String(Limit)}; write a whole number from 1 to ${quotaMax}`);
  return limit;
}

function parseThrottle({ RateLimit, BurstLimit }: Values, at: string) {
  const [rate, burst] = [Number(RateLimit), Number(BurstLimit)];
  if (!(rate > 0 && Number.isInteger(burst) && burst >= 0))
    throw new Error(
      `${at}: RateLimit ${String(RateLimit)} and BurstLimit ${String(BurstLimit)} are not emulated; write a rate above 0 and a whole burst`,
    );
  return { rate, burst };
}
