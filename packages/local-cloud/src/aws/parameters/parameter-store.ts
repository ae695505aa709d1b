import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSavedJson, saveJson } from "../../saved-json.ts";

/** The latest version of a parameter. */
export interface Parameter {
  readonly name: string;
  readonly type: "SecureString" | "String";
  readonly value: string;
  /** Version number, which starts at 1. Each PutParameter that overwrites the parameter increments it. */
  readonly version: number;
  readonly modifiedAtMs: number;
}

/** The parameters of AWS Systems Manager, stored in the data folder. */
export type ParameterStore = ReturnType<typeof openParameterStore>;

/** File name before version 0.2. The old file's content is copied once to the new file. */
const formerFile = "parameters.json";

/** Opens the parameters of the data folder. Throws an Error if their file cannot be read. */
export function openParameterStore(dataDirectory: string) {
  const file = join(dataDirectory, "systems-manager.json");
  if (!existsSync(file)) saveJson(file, readSavedJson<Parameter[]>(join(dataDirectory, formerFile), []));
  const parameters = readSavedJson<Parameter[]>(file, []);
  return {
    find: (name: string): Parameter | undefined => parameters.find((one) => one.name === name),
    /** Stores a value, and returns its version. */
    put(name: string, type: Parameter["type"], value: string): number {
      const at = parameters.findIndex((one) => one.name === name);
      const version = (parameters[at]?.version ?? 0) + 1;
      const parameter = { name, type, value, version, modifiedAtMs: Date.now() };
      if (at < 0) parameters.push(parameter);
      else parameters[at] = parameter;
      saveJson(file, parameters);
      return version;
    },
  };
}
