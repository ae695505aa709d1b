import type { TemplateResource } from "../given-stack.ts";

/** A statement of a role's own policies. */
export interface RoleStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Conditions;
}

type Conditions = Readonly<Record<string, Record<string, string | readonly string[]>>>;

/**
 * Returns the statements of a role that apply to the function, without their condition on `lambda:SourceFunctionArn`.
 *
 * @throws Error on any other ARN condition, because its effect is unknown
 */
export function statementsOfFunction(
  lambda: TemplateResource,
  roles: Readonly<Record<string, TemplateResource>>,
): RoleStatement[] {
  const role = roles[lambda.Properties.Role["Fn::GetAtt"][0]];
  if (role === undefined) throw new Error("The function's role is not in the template.");
  const { Policies = [] } = role.Properties as {
    Policies?: { PolicyDocument: { Statement: RoleStatement[] } }[];
  };
  const [, [, name]] = lambda.Properties.FunctionName?.["Fn::Join"] ?? ["", []];
  return Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).flatMap((statement) => {
    const { Condition, ...others } = statement;
    const { functionArns, conditions } = splitConditions(Condition);
    if (functionArns !== undefined && !functionArns.some((arn) => isArnOf(arn, name))) return [];
    return conditions === undefined ? [others] : [{ ...others, Condition: conditions }];
  });
}

/** Separates the condition on the calling function from the others. */
export function splitConditions({ ArnEquals, ...others }: Conditions = {}) {
  const { "lambda:SourceFunctionArn": functionArns, ...unknown } = ArnEquals ?? {};
  if (Object.keys(unknown).length > 0) throw new Error(`Unknown condition: ${JSON.stringify(unknown)}`);
  return {
    functionArns: functionArns === undefined ? undefined : [functionArns].flat(),
    conditions: Object.keys(others).length === 0 ? undefined : others,
  };
}

/** Compares the end of a template's ARN with the function's name. */
function isArnOf(arn: unknown, name: string): boolean {
  const [, parts] = (arn as { "Fn::Join": [string, unknown[]] })["Fn::Join"];
  return parts.at(-1) === name;
}
