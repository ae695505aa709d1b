import { join, resolve } from "node:path";
import { faultEnvironmentNames } from "../../functions/core/environment.ts";

/** Path of a build's source map. */
export function mapFileOf(functionsDirectory: string, build: string): string {
  return join(`${resolve(functionsDirectory)}-maps`, `${build.replace(/@.*/, "")}.map`);
}

/** The last line of a bundle. It sets the build id for the bundle's log lines. */
export function buildLineOf(build: string): string {
  return `process.env.${faultEnvironmentNames.build}=${JSON.stringify(build)};\n`;
}

/** The build id in the last line of a bundle; undefined in other code. */
export function readBuildId(code: string): string | undefined {
  return buildLine.exec(code)?.[1];
}

const buildLine = new RegExp(`^process\\.env\\.${faultEnvironmentNames.build}="([^"]+)";$`, "m");
