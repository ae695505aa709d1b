import { EndpointType, RestApi } from "aws-cdk-lib/aws-apigateway";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { addGatewayResponses } from "./gateway-responses.ts";

/** The only stage. The edge's origin path is made of it: a reference to the stage would close a dependency cycle. */
export const stageName = "live";

/**
 * How many requests each method of each path takes; API Gateway answers 429 to the rest. So a page that the world looks
 * at can use 400 of the 1,000 functions that an account may have at once even if each of them starts cold, and 1,000 a
 * second once they are warm; the other methods have as much of their own, and most of the functions left.
 *
 * Sources: API Gateway developer guide, "Throttle requests to your REST APIs for better throughput"; AWS Lambda
 * developer guide, "Lambda quotas" and "Understanding Lambda function scaling".
 */
const throttling = { throttlingRateLimit: 1_000, throttlingBurstLimit: 400 };

/** The regional REST API behind the edge, without operations. */
export class Api extends Construct {
  readonly restApi: RestApi;
  /** Its host; the edge is the only one who should ask it. */
  readonly domainName: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.restApi = new RestApi(this, "RestApi", {
      // Metrics go by it: two APIs of one name would be counted together.
      restApiName: Stack.of(this).stackName,
      description: "Dropleaf, behind CloudFront",
      endpointTypes: [EndpointType.REGIONAL],
      deployOptions: { stageName, ...throttling },
      // Every body reaches the functions as the bytes that were sent.
      binaryMediaTypes: ["*/*"],
      cloudWatchRole: false,
    });
    // An output of the API's own address would invite callers past the edge.
    this.restApi.node.tryRemoveChild("Endpoint");
    addGatewayResponses(this.restApi);
    const { region, urlSuffix } = Stack.of(this);
    this.domainName = `${this.restApi.restApiId}.execute-api.${region}.${urlSuffix}`;
  }
}
