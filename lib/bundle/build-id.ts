import { join, resolve } from "node:path";
import { faultEnvironmentNames } from "../../functions/core/environment.ts";

/** Returns the path of a build's source map. */
export function mapFileOf(functionsDirectory: string, build: string): string {
  return join(`${resolve(functionsDirectory)}-maps`, `${build.replace(/@.*/, "")}.map`);
}

/** Returns the last line of a bundle, which sets the build id for log entries. */
export function buildLineOf(build: string): string {
  return `process.env.${faultEnvironmentNames.build}=${JSON.stringify(build)};\n`;
}

/** Reads the build id from the last line of a bundle. Returns undefined for other code. */
export function readBuildId(code: string): string | undefined {
  return buildLine.exec(code)?.[1];
}

const buildLine = new RegExp(`^process\\.env\\.${faultEnvironmentNames.build}="([^"]+)";$`, "m");
