/** A whole document in S3's namespace; errors have none. */
export function xmlDocument(root: string, ...children: string[]): string {
  const namespace = root === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${children.join("")}</${root}>`;
}
