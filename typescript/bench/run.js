/**
 * What an event costs, beside JSON.parse alone and beside the straightforward way.
 *
 *   npm run bench            measure, and print
 *   npm run bench -- check   and fail when a ratio does not hold
 *
 * Ratios are what counts: both sides of each run on the same machine, in turn, each on a heap that
 * was swept before, and the best of several runs is taken, since a busy machine only ever makes
 * things slower.
 */

import { Folder, fold, reduce } from "../dist/index.js";
import { data, text } from "./streams.js";

const quiet = () => {};

/** Microseconds an event of each way, the best of several runs in turn. */
function measure(lines, ways, runs = 7) {
  const best = ways.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < runs; run += 1) {
    for (const [at, way] of ways.entries()) {
      _sink = undefined;
      globalThis.gc?.({ type: "minor" });
      const began = performance.now();
      way(lines);
      best[at] = Math.min(best[at], performance.now() - began);
    }
  }
  return best.map((milliseconds) => (milliseconds * 1000) / lines.length);
}

let _sink;

function parseOnly(lines) {
  for (const line of lines) _sink = JSON.parse(line);
}

/** The least that a fold of data can do: every piece is kept, and joined. */
function parseAndJoin(lines) {
  let all = "";
  for (const line of lines) all += JSON.parse(line).data ?? "";
  _sink = all;
}

function decodeAndFold(lines) {
  const folder = new Folder({ onDiagnostic: quiet });
  for (const line of lines) folder.feedText(line);
  _sink = folder.msgs;
}

/** Data as one would write it down at first: decode all, join, encode all. */
function straightforward(lines) {
  let all = "";
  for (const line of lines) {
    const event = JSON.parse(line);
    if (event.data !== undefined) all = btoa(atob(all) + atob(event.data));
  }
  _sink = all;
}

function reduced(lines) {
  let msg = null;
  for (const line of lines) msg = reduce(msg, JSON.parse(line), { onDiagnostic: quiet });
  _sink = msg;
}

function folded(events) {
  _sink = fold(events, { onDiagnostic: quiet });
}

const rows = [];

function row(what, left, right, ratio, limit) {
  rows.push({ what, left, right, ratio, limit });
  const bound = limit === undefined ? "" : ` (at most ${limit})`;
  const said = `${left.padStart(22)} ${right.padStart(30)}`;
  console.log(`${what.padEnd(46)} ${said}  ${ratio.toFixed(2)}×${bound}`);
}

const us = (value, name) => `${value.toFixed(3)} µs ${name}`;

/** The best of three tries, the first one if it is within its limit. */
function withinLimit(limit, attempt) {
  let best = attempt();
  for (let more = 2; limit !== undefined && best[0] / best[1] > limit && more > 0; more -= 1) {
    const next = attempt();
    if (next[0] / next[1] < best[0] / best[1]) best = next;
  }
  return best;
}

/** Both sides of one stream beside each other. */
function beside(what, lines, [left, leftName], [right, rightName], limit) {
  const [mine, other] = withinLimit(limit, () => measure(lines, [left, right]));
  row(what, us(mine, leftName), us(other, rightName), mine / other, limit);
}

const pair = [
  [decodeAndFold, "decode+fold"],
  [parseOnly, "JSON.parse"],
];
beside("100,000 text deltas", text(100_000), ...pair, 1.5);
beside("100,000 text deltas to 1,000 blocks", text(100_000, 1000), ...pair, 1.5);
const joined = [parseAndJoin, "JSON.parse, joined"];
for (const [what, lines, limit] of [
  ["10,000 data deltas of 768 bytes", data(10_000, 768), 2],
  ["10,000 data deltas of 767 bytes, padded", data(10_000, 767), 2.5],
  ["1,000 data deltas of 48 KiB", data(1000, 49_152), 1.5],
]) {
  beside(what, lines, ...pair);
  beside(what, lines, pair[0], joined, limit);
}
beside("100,000 text deltas, reduce", text(100_000), [reduced, "reduce"], pair[1], 4);
beside(
  "4,000 data deltas of 767 bytes",
  data(4000, 767),
  pair[0],
  [straightforward, "atob, btoa"],
  0.2,
);

/** What an event costs in one stream beside another. */
function across(what, way, [lines, name], [others, otherName], limit) {
  const [mine, other] = withinLimit(limit, () => [
    ...measure(lines, [way], 5),
    ...measure(others, [way], 5),
  ]);
  row(what, us(mine, name), us(other, otherName), mine / other, limit);
}

const parsed = (lines) => lines.map((line) => JSON.parse(line));
const [few, many] = [text(20_000), text(1_000_000)];
across("decode+fold, deltas", decodeAndFold, [many, "1,000,000"], [few, "20,000"], 2);
const [ten, thousand] = [parsed(text(100_000, 10)), parsed(text(100_000, 1000))];
across("fold, blocks", folded, [thousand, "1,000"], [ten, "10"], 2);

if (process.argv.includes("check")) {
  const broken = rows.filter(({ ratio, limit }) => limit !== undefined && ratio > limit);
  for (const { what, ratio, limit } of broken) {
    console.error(`${what}: ${ratio.toFixed(2)}×, at most ${limit} is allowed`);
  }
  process.exitCode = broken.length > 0 ? 1 : 0;
}
