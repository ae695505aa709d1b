export const server = undefined;
