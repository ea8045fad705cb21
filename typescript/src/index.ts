export * from "./errors.js";
export * from "./streams/index.js";
