/**
 * A client of the reply service: streams replies over HTTP, and comes back by itself.
 *
 * @module
 */

export { RETRY, type Retry } from "./backoff.js";
export {
  type Answer,
  type ClientOptions,
  type Inputs,
  type Reply,
  ReplyClient,
  type ReplyState,
  type ResumeOptions,
  type StartOptions,
} from "./client.js";
export { type ServiceCode, ServiceError } from "./errors.js";
export { ReplyStream, type StreamSettings } from "./stream.js";
