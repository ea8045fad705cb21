/**
 * A client of the reply service over gRPC, for Node: the same face as that of `msgfold/client`.
 *
 * It needs `@connectrpc/connect` and `@connectrpc/connect-node`, which are not installed with
 * msgfold; they are loaded at the first request.
 *
 * @module
 */

export {
  type Answer,
  AnyReplyClient,
  type ClientOptions,
  type Inputs,
  RETRY,
  type Reply,
  type ReplyState,
  ReplyStream,
  type ResumeOptions,
  type Retry,
  type ServiceCode,
  ServiceError,
  type StartOptions,
  type StreamSettings,
} from "../client/index.js";
export { type GrpcClientOptions, GrpcReplyClient } from "./client.js";
export type { Tls } from "./connection.js";
