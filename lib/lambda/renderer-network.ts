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
  /** The bucket that the network reaches. */
  readonly files: Bucket;
}

/** Addresses for 251 network interfaces; Lambda needs one for all environments of a function. */
const range = "10.0.0.0/24";

/** A zone of us-east-1 that Lambda supports: it does not support use1-az3, which Amazon EC2 might choose. Elsewhere Amazon EC2 chooses. */
const edgeRegionZone = "use1-az1";

/**
 * A network whose only exit is a gateway endpoint for the objects of one bucket: it has no internet gateway and no NAT. It is free while no
 * page is rendered. It has one subnet: if its zone is down, pages are rendered later.
 */
export class RendererNetwork extends Construct {
  /** Configuration of a function in this network. */
  readonly vpcConfig: CfnFunction.VpcConfigProperty;

  constructor(scope: Construct, id: string, { files }: RendererNetworkProps) {
    super(scope, id);
    const { region } = Stack.of(this);
    // With DNS: S3 is resolved by its name, since its addresses are not known beforehand.
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
          // Objects are read by signed addresses, so the bucket checks the signer's permissions.
          new PolicyStatement({
            effect: Effect.ALLOW,
            principals: [new StarPrincipal()],
            actions: ["s3:GetObject"],
            resources: [files.arnForObjects("*")],
          }),
        ],
      }),
    });
    // The network's default group would let everything in it reach everything else: one owner's environment would reach another's.
    const group = new CfnSecurityGroup(this, "Group", {
      groupDescription: "Renders pages: HTTPS to Amazon S3, no inbound traffic",
      vpcId: vpc.attrVpcId,
      securityGroupEgress: [
        { ipProtocol: "tcp", fromPort: 443, toPort: 443, cidrIp: "0.0.0.0/0", description: "Amazon S3" },
      ],
    });
    this.vpcConfig = { subnetIds: [subnet.attrSubnetId], securityGroupIds: [group.attrGroupId] };
  }
}

/**
 * Permissions that Lambda needs to connect the function to a network. The function's code may not use them:
 * `lambda:SourceFunctionArn` marks its calls. AWS Lambda developer guide, "Giving Lambda functions access to resources in an Amazon VPC", "Required IAM permissions", and "Using source function ARN to control function access behavior".
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
