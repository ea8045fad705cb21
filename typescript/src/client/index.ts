/**
 * A client of the reply service: streams replies over HTTP, and comes back by itself.
 *
 * @module
 */

export { RETRY, type Retry } from "./backoff.js";
export {
  AnyReplyClient,
  type ClientOptions,
  type HttpClientOptions,
  ReplyClient,
} from "./client.js";
export { type ServiceCode, ServiceError } from "./errors.js";
export { ReplyStream } from "./stream.js";
export type {
  Answer,
  Inputs,
  Reply,
  ReplyState,
  ResumeOptions,
  StartOptions,
  StreamSettings,
} from "./types.js";
