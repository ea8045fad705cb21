/**
 * msgfold: AgentScope 2.x messages and events.
 *
 * @module
 */

export { dump } from "./dump.js";
export * from "./errors.js";
export { EVENT_TYPES } from "./event-types.js";
export * from "./fold/index.js";
export * from "./message.js";
export { parseEvent, parseMsg } from "./parse.js";
export {
  DEFAULT_REVISION,
  NEWEST_REVISION,
  RELEASES,
  type Revision,
} from "./revisions.js";
export * from "./streams/index.js";
export type * from "./types.js";
export * from "./validate/index.js";
