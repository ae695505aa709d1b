import {
  CfnRouteTable,
  CfnSecurityGroup,
  CfnSubnet,
  CfnSubnetRouteTableAssociation,
  CfnVPC,
  CfnVPCEndpoint,
} from "aws-cdk-lib/aws-ec2";
import { Effect, PolicyDocument, PolicyStatement, StarPrincipal } from "aws-cdk-lib/aws-iam";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { ArnFormat, Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { edgeRegion } from "../settings.ts";

export interface RendererNetworkProps {
  /** The bucket that is reached. */
  readonly files: Bucket;
}

/** Addresses for 251 network interfaces; Lambda needs one for all environments of a function. */
const range = "10.0.0.0/24";

/** A zone of us-east-1 that Lambda has: it has no networks in use1-az3, which Amazon EC2 might choose. Elsewhere Amazon EC2 chooses. */
const edgeRegionZone = "use1-az1";

/**
 * A network without internet gateway, NAT or other endpoints than a gateway endpoint for the objects of one bucket. It is free
 * while nothing is drawn. It has one subnet: if its zone is down, pages are drawn later.
 */
export class RendererNetwork extends Construct {
  /** For the function that is in it. */
  readonly vpcConfig: CfnFunction.VpcConfigProperty;

  constructor(scope: Construct, id: string, { files }: RendererNetworkProps) {
    super(scope, id);
    const { region } = Stack.of(this);
    // With names: S3 is found by its name, and by no address that is known beforehand.
    const vpc = new CfnVPC(this, "Vpc", { cidrBlock: range, enableDnsSupport: true });
    const subnet = new CfnSubnet(this, "Subnet", {
      vpcId: vpc.attrVpcId,
      cidrBlock: range,
      ...(region === edgeRegion ? { availabilityZoneId: edgeRegionZone } : {}),
    });
    const routeTable = new CfnRouteTable(this, "Routes", { vpcId: vpc.attrVpcId });
    new CfnSubnetRouteTableAssociation(this, "SubnetRoutes", {
      subnetId: subnet.attrSubnetId,
      routeTableId: routeTable.attrRouteTableId,
    });
    new CfnVPCEndpoint(this, "Files", {
      vpcEndpointType: "Gateway",
      serviceName: `com.amazonaws.${region}.s3`,
      vpcId: vpc.attrVpcId,
      routeTableIds: [routeTable.attrRouteTableId],
      policyDocument: new PolicyDocument({
        statements: [
          // By signed addresses, whose signer the bucket judges.
          new PolicyStatement({
            effect: Effect.ALLOW,
            principals: [new StarPrincipal()],
            actions: ["s3:GetObject"],
            resources: [files.arnForObjects("*")],
          }),
        ],
      }),
    });
    // Not the network's own group, in which everything reaches everything: one owner's environment would reach another's.
    const group = new CfnSecurityGroup(this, "Group", {
      groupDescription: "Draws pages: HTTPS to Amazon S3, and nothing comes in",
      vpcId: vpc.attrVpcId,
      securityGroupEgress: [
        { ipProtocol: "tcp", fromPort: 443, toPort: 443, cidrIp: "0.0.0.0/0", description: "Amazon S3" },
      ],
    });
    this.vpcConfig = { subnetIds: [subnet.attrSubnetId], securityGroupIds: [group.attrGroupId] };
  }
}

/**
 * Permissions that Lambda needs to connect the function to a network. The function itself may not use them:
 * `lambda:SourceFunctionArn` marks its calls. AWS Lambda developer guide, "Giving Lambda functions access to
 * resources in an Amazon VPC", "Required IAM permissions", and "Using source function ARN to control function access
 * behavior".
 */
export function connectStatements(scope: Construct): PolicyStatement[] {
  const actions = [
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
  ];
  // Any function: naming ours would close a cycle, since it names its role.
  const anyFunction = { service: "lambda", resource: "function", resourceName: "*" } as const;
  const functionArn = Stack.of(scope).formatArn({ ...anyFunction, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
  return [
    new PolicyStatement({ actions, resources: ["*"] }),
    new PolicyStatement({
      effect: Effect.DENY,
      actions,
      resources: ["*"],
      conditions: { ArnLike: { "lambda:SourceFunctionArn": functionArn } },
    }),
  ];
}
