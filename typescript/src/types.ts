/**
 * The contract's types, generated from its schemas.
 *
 * @module
 */

import type { AgentEvent, CustomEvent } from "./_contract/types.js";

export type * from "./_contract/types.js";

/** An event of a reply: every one but CUSTOM. */
export type ReplyEvent = Exclude<AgentEvent, CustomEvent>;

/** An event that was not stamped yet: whoever takes it makes up an `id` and a `created_at`. */
export type Unstamped<Event extends AgentEvent> = Event extends AgentEvent
  ? Omit<Event, "id" | "created_at"> & Partial<Pick<Event, "id" | "created_at">>
  : never;
