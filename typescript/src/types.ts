/** An event. */
export interface AgentEvent {
  readonly type: string;
  readonly id?: string;
  readonly reply_id?: string;
  readonly [member: string]: unknown;
}

/** A message. */
export interface Msg {
  name: string;
  role: "user" | "assistant" | "system";
  content: unknown[];
  id: string;
  metadata: Record<string, unknown>;
  created_at: string;
  [member: string]: unknown;
}
