import { Peer, Port, SecurityGroup, SubnetType, Vpc } from "aws-cdk-lib/aws-ec2";
import type { FargateService } from "aws-cdk-lib/aws-ecs";
import {
  type ApplicationListener,
  ApplicationLoadBalancer,
  ApplicationProtocol,
} from "aws-cdk-lib/aws-elasticloadbalancingv2";
import { Duration } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { ingestHealthPath } from "../../functions/ingest/rows.ts";

export interface IngestNetworkProps {
  /** Where the containers listen. */
  readonly port: number;
}

/**
 * `com.amazonaws.global.cloudfront.origin-facing` of us-east-1, where the stack is; CloudFront developer guide, "Restrict
 * access with VPC origins".
 */
const cloudFrontPrefixList = "pl-3b927c52";

/** A network for containers that only CloudFront reaches. Without NAT gateways: tasks have addresses of their own. */
export class IngestNetwork extends Construct {
  readonly vpc: Vpc;
  readonly loadBalancer: ApplicationLoadBalancer;
  readonly serverSecurityGroup: SecurityGroup;
  readonly #listener: ApplicationListener;
  readonly #port: number;

  constructor(scope: Construct, id: string, { port }: IngestNetworkProps) {
    super(scope, id);
    this.#port = port;
    this.vpc = new Vpc(this, "Vpc", {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [
        { name: "tasks", subnetType: SubnetType.PUBLIC, cidrMask: 24 },
        { name: "balancer", subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
      ],
    });
    const balancerSecurityGroup = new SecurityGroup(this, "BalancerSecurityGroup", {
      vpc: this.vpc,
      description: "Takes requests of CloudFront",
      allowAllOutbound: false,
    });
    balancerSecurityGroup.addIngressRule(Peer.prefixList(cloudFrontPrefixList), Port.tcp(80), "CloudFront");
    this.serverSecurityGroup = new SecurityGroup(this, "ServerSecurityGroup", {
      vpc: this.vpc,
      description: "Takes requests of the load balancer",
    });
    this.loadBalancer = new ApplicationLoadBalancer(this, "Balancer", {
      vpc: this.vpc,
      internetFacing: false,
      vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
      securityGroup: balancerSecurityGroup,
      dropInvalidHeaderFields: true,
      idleTimeout: Duration.seconds(65),
    });
    this.#listener = this.loadBalancer.addListener("Http", { port: 80, open: false });
  }

  /** Sends requests to the tasks of a service. */
  sendTo(service: FargateService): void {
    this.#listener.addTargets("Tasks", {
      port: this.#port,
      protocol: ApplicationProtocol.HTTP,
      targets: [service],
      deregistrationDelay: Duration.seconds(30),
      healthCheck: { path: ingestHealthPath, interval: Duration.seconds(15), healthyThresholdCount: 2 },
    });
  }
}
