/** Streams to measure with: NDJSON lines as an agent writes them. */

const stamps = (at) => ({
  id: (at * 2654435761).toString(16).padStart(32, "0"),
  created_at: `2026-07-07T10:00:${String(at % 60).padStart(2, "0")}.123456`,
  metadata: {},
});

const start = {
  type: "REPLY_START",
  ...stamps(0),
  session_id: "session",
  reply_id: "reply",
  name: "friday",
};
const line = (type, at, members) =>
  JSON.stringify({ type, ...stamps(at), reply_id: "reply", ...members });
const WORDS = ["The ", "quick ", "brown ", "fox ", "jumps ", "over ", "the ", "lazy ", "dog. "];

/** Text that comes in small pieces, to so many blocks in turn. */
export function text(deltas, blocks = 1) {
  const ids = Array.from({ length: blocks }, (_, at) => `block-${at}`);
  const begins = ids.map((block_id, at) => line("TEXT_BLOCK_START", at, { block_id }));
  const pieces = Array.from({ length: deltas }, (_, at) =>
    line("TEXT_BLOCK_DELTA", at, { block_id: ids[at % blocks], delta: WORDS[at % WORDS.length] }),
  );
  return [JSON.stringify(start), ...begins, ...pieces];
}

/** Bytes that come in pieces; an odd number of bytes leaves each piece padded. */
export function data(deltas, bytes) {
  const piece = Buffer.from(Array.from({ length: bytes }, (_, at) => (at * 31) % 256));
  const members = { block_id: "d", media_type: "image/png" };
  const begin = line("DATA_BLOCK_START", 1, members);
  const pieces = Array.from({ length: deltas }, (_, at) =>
    line("DATA_BLOCK_DELTA", at, { ...members, data: piece.toString("base64") }),
  );
  return [JSON.stringify(start), begin, ...pieces];
}
