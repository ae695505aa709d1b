/**
 * Makes a schema where a bundler can leave it out, if the call is marked as pure: esbuild takes a property read such
 * as `limits.titleMax` for a side effect, and would keep every schema in the bundle of every function.
 */
export function schema<Schema>(make: () => Schema): Schema {
  return make();
}
