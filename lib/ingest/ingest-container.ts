import { join } from "node:path";
import { type IOrigin, OriginProtocolPolicy } from "aws-cdk-lib/aws-cloudfront";
import { VpcOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { SubnetType } from "aws-cdk-lib/aws-ec2";
import {
  type CfnTaskDefinition,
  Cluster,
  ContainerDependencyCondition,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDriver,
} from "aws-cdk-lib/aws-ecs";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import { Duration, RemovalPolicy } from "aws-cdk-lib/core";
import { ASSET_RESOURCE_METADATA_PATH_KEY } from "aws-cdk-lib/cx-api";
import { Construct } from "constructs";
import { IngestNetwork } from "./ingest-network.ts";
import type { IngestServerProps } from "./ingest-server.ts";

/** Where the server listens. */
const port = 8080;
const codeVolume = "code";

/**
 * The server for large bodies as a container of Amazon ECS on Fargate, behind an internal load balancer that CloudFront
 * reaches as a VPC origin: nothing of it is on the internet, and the edge's secret never leaves AWS's network. Idle, the
 * load balancer is about 17 dollars a month, one task 14 and its address 4 (us-east-1).
 *
 * There is no image to be built: a first container copies the code into a volume, and Node's own image runs it.
 */
export class IngestContainer extends Construct {
  readonly origin: IOrigin;

  constructor(scope: Construct, id: string, props: IngestServerProps) {
    super(scope, id);
    const network = new IngestNetwork(this, "Network", { port });
    network.sendTo(this.#addService(network, this.#addTask(props)));
    this.origin = VpcOrigin.withApplicationLoadBalancer(network.loadBalancer, {
      ...props.originProps,
      protocolPolicy: OriginProtocolPolicy.HTTP_ONLY,
      httpPort: 80,
      readTimeout: Duration.seconds(60),
    });
  }

  #addService(network: IngestNetwork, task: FargateTaskDefinition): FargateService {
    const service = new FargateService(this, "Service", {
      cluster: new Cluster(this, "Cluster", { vpc: network.vpc }),
      taskDefinition: task,
      vpcSubnets: { subnetType: SubnetType.PUBLIC },
      assignPublicIp: true,
      securityGroups: [network.serverSecurityGroup],
      circuitBreaker: { rollback: true },
      minHealthyPercent: 100,
      healthCheckGracePeriod: Duration.minutes(1),
    });
    service
      .autoScaleTaskCount({ minCapacity: 1, maxCapacity: 4 })
      .scaleOnCpuUtilization("Cpu", { targetUtilizationPercent: 60 });
    return service;
  }

  #addTask({ directory, environment, statements }: IngestServerProps): FargateTaskDefinition {
    const code = new Asset(this, "Code", { path: join(directory, "index.mjs") });
    const readCode = new PolicyStatement({
      actions: ["s3:GetObject"],
      resources: [code.bucket.arnForObjects(code.s3ObjectKey)],
    });
    const task = new FargateTaskDefinition(this, "Task", {
      cpu: 512,
      memoryLimitMiB: 1024,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64 },
      volumes: [{ name: codeVolume }],
      taskRole: new Role(this, "Role", {
        assumedBy: new ServicePrincipal("ecs-tasks.amazonaws.com"),
        inlinePolicies: { grants: new PolicyDocument({ statements: [readCode, ...statements] }) },
      }),
    });
    const logGroup = new LogGroup(this, "Log", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const server = task.addContainer("Server", {
      image: ContainerImage.fromRegistry("public.ecr.aws/docker/library/node:24-slim"),
      command: ["node", "/code/index.mjs"],
      environment: { ...environment, PORT: String(port) },
      portMappings: [{ containerPort: port }],
      user: "node",
      readonlyRootFilesystem: true,
      stopTimeout: Duration.seconds(30),
      logging: LogDriver.awsLogs({ logGroup, streamPrefix: "server" }),
    });
    const copyCode = task.addContainer("CopyCode", {
      image: ContainerImage.fromRegistry("public.ecr.aws/aws-cli/aws-cli"),
      command: ["s3", "cp", code.s3ObjectUrl, "/code/index.mjs"],
      essential: false,
      logging: LogDriver.awsLogs({ logGroup, streamPrefix: "copy-code" }),
    });
    copyCode.addMountPoints({ sourceVolume: codeVolume, containerPath: "/code", readOnly: false });
    server.addMountPoints({ sourceVolume: codeVolume, containerPath: "/code", readOnly: true });
    server.addContainerDependencies({
      container: copyCode,
      condition: ContainerDependencyCondition.SUCCESS,
    });
    // The name of the code's file, by which the local cloud finds it.
    (task.node.defaultChild as CfnTaskDefinition).addMetadata(
      ASSET_RESOURCE_METADATA_PATH_KEY,
      code.assetPath,
    );
    return task;
  }
}
