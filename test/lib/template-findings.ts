import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { edgeRegion } from "../../lib/settings.ts";

/** A finding of AWS's template validator: the resource's logical id, the rule and the message. */
export interface TemplateFinding {
  readonly logicalId: string | undefined;
  readonly rule: string;
  readonly message: string;
}

/** The part of `@aws/cloudformation-validate` that is used here. */
interface Validator {
  readonly CompositeEngine: new () => Engine;
  readonly TemplateContent: new (content: string) => object;
}

interface Engine {
  validateTemplate(
    template: object,
    config: {
      readonly exclude: { readonly ids: readonly string[] };
      readonly pseudoParameterOverrides: { readonly region: string };
      readonly severityLevel: "WARN";
    },
  ): {
    readonly status: "OK" | "ANALYSIS_INCOMPLETE" | "ERROR";
    readonly diagnostics: readonly {
      readonly ruleId: string;
      readonly message: string;
      readonly propertyPath?: string;
      readonly entity?: { readonly logicalId: string };
    }[];
  };
}

/** The CDK depends on the validator. A direct call also returns if the validation was complete. */
const requireOfCdk = createRequire(fileURLToPath(import.meta.resolve("aws-cdk-lib/package.json")));

/** W3005 finds a DependsOn that a reference implies. The CDK writes these. */
const excluded = ["W3005"];

let engine: Engine | undefined;

/**
 * Validates a template with the schemas of CloudFormation's registry and the rules of cfn-lint.
 *
 * @throws Error if the validator could not read the template or did not finish
 */
export function templateFindings(template: object, region = edgeRegion): TemplateFinding[] {
  const { CompositeEngine, TemplateContent }: Validator = requireOfCdk("@aws/cloudformation-validate");
  // The engine is kept, because its rules take a second to compile.
  engine ??= new CompositeEngine();
  const { status, diagnostics } = engine.validateTemplate(new TemplateContent(JSON.stringify(template)), {
    exclude: { ids: excluded },
    pseudoParameterOverrides: { region },
    severityLevel: "WARN",
  });
  if (status !== "OK") throw new Error(`The validator ended with ${status}.`);
  return diagnostics.map(({ entity, ruleId, message, propertyPath }) => ({
    logicalId: entity?.logicalId,
    rule: ruleId,
    message: propertyPath === undefined ? message : `${propertyPath}: ${message}`,
  }));
}
