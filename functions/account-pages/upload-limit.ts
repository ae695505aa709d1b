/**
 * The largest file that a browser uploads here. The edge takes 3 MB of a request's body where API Gateway is behind it
 * (`functions/edge/viewer-request.ts`); of these, a form's other fields and its boundaries have what is left.
 */
export const uploadBytesMax = 3_000_000;
