/**
 * gRPC statuses as service errors.
 *
 * A status of the service carries a `google.rpc.ErrorInfo` with the domain `msgfold` and a code as
 * its reason (`replies.grpc.error`). A call that ends without any status has lost its connection.
 *
 * @module
 */

import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { ConnectError } from "@connectrpc/connect";
import { isCode, type ServiceCode, ServiceError } from "../client/errors.js";

type Connect = typeof import("@connectrpc/connect");

const DOMAIN = "msgfold";
const ERROR_INFO = "google.rpc.ErrorInfo";

/** As gRPC's own libraries say it on the server, and Connect here. */
const SERVER_LIMIT = /(?:Sent|Received) message larger than max \((\d+) vs\. (\d+)\)/;
const CLIENT_LIMIT =
  /message size (?:(\d+) )?is larger than configured (?:read|write)MaxBytes (\d+)/;

/**
 * What a call that failed means to its caller.
 *
 * @param connect Connect.
 * @param error As it threw it.
 * @param url Which server.
 */
export function errorOf(connect: Connect, error: unknown, url: string): ServiceError {
  const { Code } = connect;
  const found = connect.ConnectError.from(error);
  const { code, rawMessage: said } = found;
  const more = { cause: error };
  const ours = infoOf(found);
  if (ours !== undefined) {
    return new ServiceError(ours.code, said, { ...more, pointer: ours.pointer });
  }
  for (const [limit, whose] of [
    [SERVER_LIMIT, "the server's max_message"],
    [CLIENT_LIMIT, "this client's maxMessage"],
  ] as const) {
    const [, size, most] = limit.exec(said) ?? [];
    if (most === undefined) continue;
    const what = size === undefined ? "a message" : `a message of ${size} bytes`;
    const reason = `${what} passes ${whose} of ${most}; make it larger there, and on the other side too`;
    return new ServiceError("too_large", reason, more);
  }
  const isStatus = found.metadata.has("grpc-status");
  if (isStatus && code === Code.DeadlineExceeded) {
    return new ServiceError("deadline", "the time that was set is over", more);
  }
  const lost = isStatus
    ? code === Code.Unavailable || code === Code.Canceled
    : !isForeign(code === Code.Unavailable, said);
  if (lost) return new ServiceError("unavailable", `no server answers at ${url}: ${said}`, more);
  const reason = isStatus
    ? `${url} ended the call with ${Code[code]}: ${said}`
    : `${url} answers what is no gRPC: ${said}: is it a server of this service?`;
  return new ServiceError("internal", reason, more);
}

/** Whether something answers that is no gRPC server; a proxy with none behind it says so. */
function isForeign(isNobody: boolean, said: string): boolean {
  return !isNobody && /^HTTP \d+$|^unsupported content type|^cannot (?:decode|parse)/.test(said);
}

/** What the service says itself. */
function infoOf(error: ConnectError): { code: ServiceCode; pointer?: string } | undefined {
  for (const detail of error.details) {
    if (!("type" in detail) || detail.type !== ERROR_INFO) continue;
    const { reason, domain, metadata } = readErrorInfo(detail.value);
    if (domain !== DOMAIN || !isCode(reason)) continue;
    const pointer = metadata.get("pointer");
    return { code: reason, ...(pointer !== undefined && { pointer }) };
  }
  return undefined;
}

/** Its fields: 1 is the reason, 2 the domain, 3 a map of strings. */
function readErrorInfo(bytes: Uint8Array): {
  reason: string;
  domain: string;
  metadata: Map<string, string>;
} {
  const found = { reason: "", domain: "", metadata: new Map<string, string>() };
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) found.reason = reader.string();
    else if (field === 2) found.domain = reader.string();
    else if (field === 3) found.metadata.set(...readEntry(reader.bytes()));
    else reader.skip(type, field);
  }
  return found;
}

function readEntry(bytes: Uint8Array): [string, string] {
  const entry: [string, string] = ["", ""];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1 || field === 2) entry[field - 1] = reader.string();
    else reader.skip(type, field);
  }
  return entry;
}
