import { App, Stack } from "aws-cdk-lib";
import { ApiDefinition, SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import { AllowedMethods, CachePolicy, Distribution, OriginRequestPolicy } from "aws-cdk-lib/aws-cloudfront";
import { RestApiOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { AttributeType, Table } from "aws-cdk-lib/aws-dynamodb";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Code, Function as LambdaFunction, Runtime } from "aws-cdk-lib/aws-lambda";
import { buildSync } from "esbuild";

/** Writes the template and assets of a page counter, as `cdk synth` does. */
export function synthesize(outdir: string, codeDirectory: string): void {
  const app = new App({
    outdir,
    // Names each function's asset folder in the template, where the local cloud finds its code.
    context: { "aws:cdk:enable-asset-metadata": true },
  });
  const stack = new Stack(app, "Counter");
  const table = new Table(stack, "Table", { partitionKey: { name: "page", type: AttributeType.STRING } });

  const entryPoints = [`${import.meta.dirname}/count-visit.ts`];
  buildSync({
    entryPoints,
    outfile: `${codeDirectory}/index.mjs`,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const countVisit = new LambdaFunction(stack, "CountVisit", {
    runtime: Runtime.NODEJS_24_X,
    handler: "index.handler",
    code: Code.fromAsset(codeDirectory),
    environment: { TABLE: table.tableName },
  });
  table.grantReadWriteData(countVisit);

  const role = new Role(stack, "ApiRole", { assumedBy: new ServicePrincipal("apigateway.amazonaws.com") });
  countVisit.grantInvoke(role);
  const countVisitOperation = {
    responses: { 200: { description: "The number of visits" } },
    "x-amazon-apigateway-integration": {
      type: "aws_proxy",
      httpMethod: "POST",
      uri: `arn:aws:apigateway:${stack.region}:lambda:path/2015-03-31/functions/${countVisit.functionArn}/invocations`,
      credentials: role.roleArn,
    },
  };
  const api = new SpecRestApi(stack, "Api", {
    apiDefinition: ApiDefinition.fromInline({
      openapi: "3.0.3",
      info: { title: "Counter", version: "1" },
      paths: { "/visits": { post: countVisitOperation } },
    }),
  });
  new Distribution(stack, "Distribution", {
    defaultBehavior: {
      origin: new RestApiOrigin(api),
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    },
  });
  app.synth();
}
