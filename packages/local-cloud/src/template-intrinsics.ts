import {
  attributeOf,
  type Identity,
  nameOf,
  physicalIdOf,
  pseudoParameters,
  region,
} from "./template-identity.ts";

/** A CloudFormation template as `cdk synth` writes it. */
export interface RawTemplate {
  readonly Resources: Readonly<Record<string, RawResource>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Conditions?: Readonly<Record<string, unknown>>;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Condition?: string }>>;
}

/** A resource before its intrinsic functions are resolved. */
export interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
  readonly Condition?: string;
}

/** Marks a property given as `{"Ref": "AWS::NoValue"}`, which is omitted. */
const noValue = Symbol("AWS::NoValue");

type Intrinsic = (argument: unknown, path: string) => unknown;

/** Creates a resolver of intrinsic functions; see "Intrinsic functions", CloudFormation user guide. */
export function createIntrinsicResolver(raw: RawTemplate) {
  const conditions = new Map<string, boolean>();

  const identityOf = (logicalId: string): Identity => {
    const resource = raw.Resources[logicalId] as RawResource;
    const name = nameOf(logicalId, resource.Type, (property) => {
      const value = resource.Properties?.[property];
      return value === undefined ? undefined : resolve(value, `${logicalId}.Properties.${property}`);
    });
    return { logicalId, type: resource.Type, name };
  };

  const reference: Intrinsic = (argument, path) => {
    const name = String(argument);
    if (name === "AWS::NoValue") return noValue;
    const pseudo = pseudoParameters[name];
    if (pseudo !== undefined) return pseudo;
    if (raw.Resources[name] !== undefined) return physicalIdOf(identityOf(name));
    const fallback = raw.Parameters?.[name]?.Default;
    if (fallback !== undefined) return fallback;
    throw new Error(
      `${path}: Ref "${name}" is not a resource, a pseudo parameter or a parameter with a default`,
    );
  };

  const attribute: Intrinsic = (argument, path) => {
    const [logicalId = "", ...rest] = Array.isArray(argument)
      ? argument.map(String)
      : String(argument).split(".");
    const name = rest.join(".");
    if (raw.Resources[logicalId] === undefined)
      throw new Error(`${path}: Fn::GetAtt of unknown resource "${logicalId}"`);
    const identity = identityOf(logicalId);
    const value = attributeOf(identity, name);
    if (value !== undefined) return value;
    throw new Error(
      `${path}: Fn::GetAtt "${logicalId}.${name}": the local cloud does not emulate the attribute ${name} of ${identity.type}`,
    );
  };

  const substitute: Intrinsic = (argument, path) => {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const given = resolve(variables, path) as Record<string, unknown>;
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal !== "") return `\${${name}}`;
      if (given[name] !== undefined) return String(given[name]);
      return String(name.includes(".") ? attribute(name, path) : reference(name, path));
    });
  };

  const intrinsics: Readonly<Record<string, Intrinsic>> = {
    Ref: reference,
    "Fn::GetAtt": attribute,
    "Fn::Sub": substitute,
    "Fn::Join": (argument, path) => {
      const [separator, parts] = argument as [string, unknown];
      return (resolve(parts, path) as unknown[]).map(String).join(separator);
    },
    "Fn::Split": (argument, path) => {
      const [separator, text] = resolve(argument, path) as [string, string];
      return text.split(separator);
    },
    "Fn::Select": (argument, path) => {
      const [index, list] = resolve(argument, path) as [number | string, unknown[]];
      const selected = list[Number(index)];
      if (selected === undefined)
        throw new Error(`${path}: Fn::Select ${index} is not in the list of length ${list.length}`);
      return selected;
    },
    "Fn::FindInMap": (argument, path) => {
      const [map, first, second] = (resolve(argument, path) as unknown[]).map(String);
      const found = raw.Mappings?.[map ?? ""]?.[first ?? ""]?.[second ?? ""];
      if (found === undefined) throw new Error(`${path}: Fn::FindInMap finds no ${map}.${first}.${second}`);
      return found;
    },
    "Fn::Base64": (argument, path) => Buffer.from(String(resolve(argument, path))).toString("base64"),
    "Fn::GetAZs": () => ["a", "b", "c"].map((zone) => `${region}${zone}`),
    "Fn::If": (argument, path) => {
      const [name, whenTrue, whenFalse] = argument as [string, unknown, unknown];
      return resolveValue(condition(name) ? whenTrue : whenFalse, path);
    },
    "Fn::Equals": (argument, path) => {
      const [left, right] = resolve(argument, path) as unknown[];
      return String(left) === String(right);
    },
    "Fn::Not": (argument, path) => !(resolve(argument, path) as boolean[])[0],
    "Fn::And": (argument, path) => (resolve(argument, path) as boolean[]).every(Boolean),
    "Fn::Or": (argument, path) => (resolve(argument, path) as boolean[]).some(Boolean),
    Condition: (argument) => condition(String(argument)),
  };

  function resolveValue(value: unknown, path: string): unknown {
    if (Array.isArray(value)) {
      return value
        .map((item, index) => resolveValue(item, `${path}[${index}]`))
        .filter((item) => item !== noValue);
    }
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value);
    const [[name, argument] = ["", undefined], ...others] = fields;
    // IAM statements also have a property "Condition", but its value is an object.
    const isCondition = name === "Condition" && typeof argument === "string";
    if (others.length === 0 && (name === "Ref" || isCondition || name.startsWith("Fn::"))) {
      const intrinsic = intrinsics[name];
      if (intrinsic === undefined)
        throw new Error(`${path}: the local cloud does not emulate the intrinsic function ${name}`);
      return intrinsic(argument, path);
    }
    const entries = fields
      .map(([key, item]) => [key, resolveValue(item, `${path}.${key}`)] as const)
      .filter(([, item]) => item !== noValue);
    return Object.fromEntries(entries);
  }

  /** Resolves a value. `path` is the value's location, for error messages. */
  function resolve(value: unknown, path: string): unknown {
    const resolved = resolveValue(value, path);
    return resolved === noValue ? undefined : resolved;
  }

  /** Returns true if the condition of a resource or output is met, or if there is no condition. */
  function condition(name: string | undefined): boolean {
    if (name === undefined) return true;
    const known = conditions.get(name);
    if (known !== undefined) return known;
    const expression = raw.Conditions?.[name];
    if (expression === undefined) throw new Error(`Conditions.${name}: no such condition in the template`);
    const met = Boolean(resolve(expression, `Conditions.${name}`));
    conditions.set(name, met);
    return met;
  }

  return { resolve, condition, identity: identityOf };
}
