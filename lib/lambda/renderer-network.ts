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
  /** Bucket that can be reached from the network. */
  readonly files: Bucket;
}

/** Address range for 251 network interfaces. Lambda needs one interface for all environments of a function. */
const range = "10.0.0.0/24";

/**
 * Availability zone in us-east-1. Lambda does not support use1-az3, which Amazon EC2 might choose. In other Regions, Amazon EC2 chooses the
 * zone.
 */
const edgeRegionZone = "use1-az1";

/**
 * A VPC whose only exit is a gateway endpoint to the objects of one bucket. The VPC has no internet gateway and no NAT gateway, and costs
 * nothing while no page is rendered. The VPC has one subnet: if the subnet's zone fails, pages are rendered later.
 */
export class RendererNetwork extends Construct {
  /** VPC configuration for a function in this network. */
  readonly vpcConfig: CfnFunction.VpcConfigProperty;

  constructor(scope: Construct, id: string, { files }: RendererNetworkProps) {
    super(scope, id);
    const { region } = Stack.of(this);
    // DNS is on, because S3 is reached by its name.
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
          // The endpoint allows all callers, because objects are read through presigned URLs and the bucket checks the signer's
          // permissions.
          new PolicyStatement({
            effect: Effect.ALLOW,
            principals: [new StarPrincipal()],
            actions: ["s3:GetObject"],
            resources: [files.arnForObjects("*")],
          }),
        ],
      }),
    });
    // The VPC's default security group would let environments of different owners reach each other, because it allows all traffic inside
    // the VPC.
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
 * Permissions that Lambda needs to connect the function to a VPC. A condition on `lambda:SourceFunctionArn` denies these permissions to the
 * function's code. Sources, AWS Lambda developer guide: "Giving Lambda functions access to resources in an Amazon VPC", "Required IAM
 * permissions"; "Using source function ARN to control function access behavior".
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
  // Matches any function. Naming this function would create a dependency cycle, because a function refers to its role.
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
