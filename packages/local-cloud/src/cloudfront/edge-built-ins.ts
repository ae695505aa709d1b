/** Properties of one built-in object of the runtime. */
export interface EdgeBuiltIn {
  /** Properties of the object itself. */
  readonly own: readonly string[];
  /** Properties of all objects that the built-in creates. @default - the built-in creates no objects */
  readonly prototype?: readonly string[];
}

const words = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

/** Properties of all objects, functions and arrays in ECMAScript 5.1. The runtime implements all of this edition. */
export const propertiesOfAll = words("length name prototype toString valueOf");

const errorType: EdgeBuiltIn = { own: [], prototype: ["message"] };

/** Properties of the unnamed prototype that all typed arrays inherit from. */
export const typedArrayPrototype = words(`
  copyWithin every fill filter find findIndex forEach includes indexOf join lastIndexOf map reduce reduceRight reverse
  some set slice sort subarray buffer byteOffset
`);

const typedArray: EdgeBuiltIn = { own: ["from", "of", "BYTES_PER_ELEMENT"], prototype: typedArrayPrototype };

const numberTypes = words(`
  DoubleBE DoubleLE FloatBE FloatLE Int8 IntBE IntLE Int16BE Int16LE Int32BE Int32LE UInt8 UIntBE UIntLE UInt16BE
  UInt16LE UInt32BE UInt32LE
`);

/**
 * The built-in objects of runtime cloudfront-js-2.0. Only documented objects are listed; see "JavaScript runtime 2.0 features for
 * CloudFront Functions", CloudFront developer guide.
 */
export const edgeBuiltIns: Readonly<Record<string, EdgeBuiltIn>> = {
  Object: {
    // The developer guide lists `is` and `setPrototypeOf` among the prototype's methods, where no engine has them.
    own: words(`
      create defineProperties defineProperty freeze getOwnPropertyDescriptor getOwnPropertyDescriptors
      getOwnPropertyNames getPrototypeOf isExtensible isFrozen isSealed keys preventExtensions seal assign entries
      values is setPrototypeOf
    `),
    prototype: words("hasOwnProperty isPrototypeOf propertyIsEnumerable"),
  },
  String: {
    own: words("fromCharCode fromCodePoint"),
    prototype: words(`
      charAt concat indexOf lastIndexOf match replace search slice split substr substring toLowerCase trim toUpperCase
      codePointAt endsWith includes repeat startsWith padStart padEnd trimStart trimEnd replaceAll
    `),
  },
  Number: {
    own: words(`
      EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE NaN NEGATIVE_INFINITY POSITIVE_INFINITY isFinite
      isInteger isNaN isSafeInteger parseInt parseFloat
    `),
    prototype: words("toExponential toFixed toPrecision"),
  },
  Boolean: { own: [], prototype: [] },
  Math: {
    own: words(`
      E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp
      expm1 floor fround hypot imul log log1p log2 log10 max min pow random round sign sinh sin sqrt tan tanh trunc
    `),
  },
  Date: {
    own: words("UTC now parse"),
    prototype: words(`
      getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset
      getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds
      setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear
      setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds toDateString toISOString toJSON
      toLocaleDateString toLocaleString toLocaleTimeString toTimeString toUTCString
    `),
  },
  RegExp: {
    own: [],
    prototype: words("global ignoreCase multiline source sticky flags exec test lastIndex"),
  },
  JSON: { own: words("parse stringify") },
  Array: {
    own: words("isArray of"),
    prototype: words(`
      concat every filter forEach indexOf join lastIndexOf map pop push reduce reduceRight reverse shift slice some sort
      splice unshift copyWithin fill find findIndex includes
    `),
  },
  Float32Array: typedArray,
  Float64Array: typedArray,
  Int8Array: typedArray,
  Int16Array: typedArray,
  Int32Array: typedArray,
  Uint8Array: typedArray,
  Uint8ClampedArray: typedArray,
  Uint16Array: typedArray,
  Uint32Array: typedArray,
  ArrayBuffer: { own: ["isView"], prototype: ["slice"] },
  Promise: {
    own: words("all allSettled any reject resolve race"),
    prototype: words("catch finally then"),
  },
  DataView: {
    own: [],
    prototype: words("Float32 Float64 Int16 Int32 Int8 Uint16 Uint32 Uint8").flatMap((type) => [
      `get${type}`,
      `set${type}`,
    ]),
  },
  Symbol: { own: words("for keyFor"), prototype: [] },
  TextDecoder: { own: [], prototype: words("decode encoding fatal ignoreBOM") },
  TextEncoder: { own: [], prototype: words("encode encodeInto") },
  Error: errorType,
  EvalError: errorType,
  InternalError: errorType,
  RangeError: errorType,
  ReferenceError: errorType,
  SyntaxError: errorType,
  TypeError: errorType,
  URIError: errorType,
  Buffer: {
    own: words("alloc allocUnsafe byteLength compare concat from isBuffer isEncoding"),
    prototype: [
      ...words(
        "compare copy equals fill includes indexOf lastIndexOf subarray swap16 swap32 swap64 toJSON write",
      ),
      ...numberTypes.flatMap((type) => [`read${type}`, `write${type}`]),
    ],
  },
  // The developer guide documents only `console.log` with a single argument.
  console: { own: ["log"] },
};

/** Properties of functions. Function constructors throw; see "Dynamic code evaluation" in the developer guide. */
export const functionPrototype = words("apply bind call");

/** Every global name of the runtime. */
export const edgeGlobals: ReadonlySet<string> = new Set([
  ...Object.keys(edgeBuiltIns),
  ...words(`
    globalThis decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat parseInt atob btoa NaN
    Infinity undefined require
  `),
]);

/** Modules and their members; see "Helper methods for origin modification" and "Helper methods for key value stores". */
export const edgeModules: Readonly<Record<string, readonly string[]>> = {
  cloudfront: words("createRequestOriginGroup edgeLocation kvs selectRequestOriginById updateRequestOrigin"),
  crypto: words("createHash createHmac"),
  querystring: words("decode encode escape parse stringify unescape"),
};

/** Methods of values from modules and the event: hashes, key value store handles, and `request.rawQueryString()`. */
export const methodsOfModules = words("update digest get exists count meta rawQueryString");

/** Every property of any object of the runtime. */
export const edgeProperties: ReadonlySet<string> = new Set([
  ...propertiesOfAll,
  ...functionPrototype,
  ...methodsOfModules,
  ...Object.values(edgeBuiltIns).flatMap(({ prototype = [] }) => prototype),
  ...Object.values(edgeModules).flat(),
]);
