import { AwsError } from "../aws-error.ts";
import type { AwsService } from "../aws-service.ts";
import { createJsonService, type JsonInput } from "../json-protocol.ts";
import type { ParameterStore } from "./parameter-store.ts";

/** Prefix of every parameter's ARN. The parameter's name follows, which begins with a slash. */
const PARAMETER_ARN_PREFIX = "arn:aws:ssm:us-east-1:000000000000:parameter";

/** Maximum size of a standard parameter's value; see "Systems Manager endpoints and quotas". */
const VALUE_BYTES_MAX = 4 * 1024;

/** Serves GetParameter and PutParameter of Systems Manager, for standard parameters whose name is a path. */
export function createSystemsManagerService(parameters: ParameterStore): AwsService {
  return createJsonService({
    signingName: "ssm",
    targetPrefix: "AmazonSSM",
    bodyBytesMax: 128 * 1024,
    operations: {
      GetParameter: (input) => getParameter(parameters, input),
      PutParameter: (input) => putParameter(parameters, input),
    },
    accessesOf: (operation, input) => [
      { action: `ssm:${operation}`, resourceArn: `${PARAMETER_ARN_PREFIX}${parseName(input)}` },
    ],
  });
}

/** Reads a parameter's name, a path of letters, digits and `_.-` whose first part does not begin with aws or ssm; see "PutParameter". */
function parseName({ Name: name }: JsonInput): string {
  const isName = typeof name === "string" && /^(\/(?!\/)[A-Za-z0-9_.-]+){1,15}$/.test(name);
  if (isName && !/^\/(aws|ssm)/i.test(name)) return name;
  const message = `${JSON.stringify(name)} is not a valid name of a parameter.`;
  throw new AwsError("ValidationException", 400, message);
}

function getParameter(parameters: ParameterStore, input: JsonInput): object {
  const parameter = parameters.find(parseName(input));
  if (parameter === undefined) throw new AwsError("ParameterNotFound", 400, "");
  const { name, type, version, modifiedAtMs } = parameter;
  if (type === "SecureString" && input.WithDecryption !== true) {
    const message = "The local cloud stores no ciphertext: set WithDecryption to true.";
    throw new AwsError("ValidationException", 400, message);
  }
  return {
    Parameter: {
      Name: name,
      Type: type,
      Value: parameter.value,
      Version: version,
      LastModifiedDate: modifiedAtMs / 1000,
      ARN: `${PARAMETER_ARN_PREFIX}${name}`,
      DataType: "text",
    },
  };
}

function putParameter(parameters: ParameterStore, input: JsonInput): object {
  const name = parseName(input);
  const { Type: type, Value: value, Overwrite: overwrite } = input;
  const existing = parameters.find(name);
  if (existing && overwrite !== true) {
    const message =
      "The parameter already exists. To overwrite this value, set the overwrite option in the request to true.";
    throw new AwsError("ParameterAlreadyExists", 400, message);
  }
  const effectiveType = type ?? existing?.type;
  if (effectiveType !== "SecureString" && effectiveType !== "String") {
    throw new AwsError("ValidationException", 400, `The type ${String(effectiveType)} is not emulated.`);
  }
  if (typeof value !== "string" || value === "" || Buffer.byteLength(value) > VALUE_BYTES_MAX) {
    throw new AwsError("ValidationException", 400, `Value must have 1 to ${VALUE_BYTES_MAX} bytes.`);
  }
  return { Version: parameters.put(name, effectiveType, value), Tier: "Standard" };
}
