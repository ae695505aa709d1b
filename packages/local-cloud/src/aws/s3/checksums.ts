import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc32c, Crc64Nvme } from "@aws-sdk/checksums/crc";

/** The checksum algorithms of S3's `x-amz-checksum-*` headers. */
export const CHECKSUM_ALGORITHMS = ["crc32", "crc32c", "crc64nvme", "sha1", "sha256"] as const;
export type ChecksumAlgorithm = (typeof CHECKSUM_ALGORITHMS)[number];

/** A checksum that is being computed. */
export interface RunningChecksum {
  update(bytes: Buffer): void;
  /** Base64, as in the headers; call once, at the end. */
  digest(): Promise<string>;
}

/** Starts a checksum over a body that arrives in pieces. */
export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  switch (algorithm) {
    case "crc32":
      return startCrc32();
    case "crc32c":
      return startSdkChecksum(new Crc32c());
    case "crc64nvme":
      return startSdkChecksum(new Crc64Nvme());
    case "sha1":
    case "sha256": {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), digest: async () => hash.digest("base64") };
    }
  }
}

function startCrc32(): RunningChecksum {
  let value = 0;
  return {
    update(bytes) {
      value = crc32(bytes, value);
    },
    async digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes.toString("base64");
    },
  };
}

function startSdkChecksum(checksum: {
  update(bytes: Uint8Array): void;
  digest(): Promise<Uint8Array>;
}): RunningChecksum {
  return {
    update: (bytes) => checksum.update(bytes),
    digest: async () => Buffer.from(await checksum.digest()).toString("base64"),
  };
}
