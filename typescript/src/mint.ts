/** What a constructor makes up: an id, a time (`wire.json.mint`). @module */

/** A fresh id: a UUID as 32 hexadecimal digits. */
export function newId(): string {
  // crypto.randomUUID is there in secure contexts only; this is everywhere.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The local time, ISO 8601 without a zone, as AgentScope writes it. */
export function now(): string {
  const time = new Date();
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return `${local.toISOString().slice(0, -1)}000`;
}

/** The value of a member that is made up. */
export function mint(kind: "id" | "now"): string {
  return kind === "id" ? newId() : now();
}
