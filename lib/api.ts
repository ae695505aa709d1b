import { EndpointType, RestApi } from "aws-cdk-lib/aws-apigateway";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { addGatewayResponses } from "./gateway-responses.ts";

/** The only stage. The edge's origin path is made of it: a reference to the stage would close a dependency cycle. */
export const stageName = "live";

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
      deployOptions: { stageName },
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
