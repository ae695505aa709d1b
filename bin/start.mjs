// `npm start`, in plain JavaScript so that `required-node.mjs` can refuse a Node without TypeScript support.
import "./required-node.mjs";

// Imported late: an older Node has no such export.
const { enableCompileCache } = await import("node:module");
const { compileCacheDirectory } = await import("../lib/bundle/cache-directory.ts");
enableCompileCache(compileCacheDirectory());
await import("./local.ts");
