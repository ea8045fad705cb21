/**
 * Finding a block in constant time.
 *
 * Every delta names a block by kind and id, and the first one in the list is meant (`fold.find`).
 * A short list is searched, which costs no more than to look elsewhere. Searching a long one costs
 * as much as it is long, so an index is kept beside it. The list is also the program's own
 * `msg.content`, a plain array that anyone may change between two events. So the index is believed
 * only where the list bears it out: as long as before, and with such a block at the place.
 * Otherwise it is built again. What it cannot see without a search is a block that was put before
 * another of its kind and id, in place, and with as many blocks as before: deltas then go on to the
 * later one. Another list has no such past; neither has one of `reduce`, which nobody changes.
 *
 * One index serves a list and, when a list is copied to change it, the copy from then on.
 *
 * @module
 */

/** A block, as far as finding it goes. */
interface Named {
  readonly type: string;
  readonly id: string;
}

/** Finds blocks in a list. */
export interface Finder {
  /** The position of the first block of that kind with that id, -1 when there is none. */
  find(blocks: readonly Named[], kind: string, id: string): number;
  /** As {@link find}, and a block that is not there was searched for one by one. */
  findSurely(blocks: readonly Named[], kind: string, id: string): number;
  /** Append a block; whether it is the first of its kind and id. */
  add(blocks: Named[], block: Named): boolean;
}

/** Blocks up to which a list is searched. */
const SHORT = 16;

function search(blocks: readonly Named[], kind: string, id: string): number {
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at];
    if (block !== undefined && block.id === id && block.type === kind) return at;
  }
  return -1;
}

const SEARCH: Finder = {
  find: search,
  findSurely: search,
  add(blocks, block) {
    const isFirst = search(blocks, block.type, block.id) < 0;
    blocks.push(block);
    return isFirst;
  },
};

type Positions = Map<string, number>;

/** The first position of each block, by kind and then by id. */
class BlockIndex implements Finder {
  #kinds = new Map<string, Positions>();
  #length = 0;
  /** What was found last: deltas of one block come in a row. */
  #last = -1;

  find(blocks: readonly Named[], kind: string, id: string): number {
    if (blocks.length !== this.#length) this.#build(blocks);
    const last = blocks[this.#last];
    if (last !== undefined && last.id === id && last.type === kind) return this.#last;
    const at = this.#kinds.get(kind)?.get(id);
    if (at === undefined) return -1;
    const block = blocks[at];
    if (block !== undefined && block.id === id && block.type === kind) {
      this.#last = at;
      return at;
    }
    this.#build(blocks);
    return this.#kinds.get(kind)?.get(id) ?? -1;
  }

  findSurely(blocks: readonly Named[], kind: string, id: string): number {
    const at = this.find(blocks, kind, id);
    return at >= 0 ? at : search(blocks, kind, id);
  }

  add(blocks: Named[], block: Named): boolean {
    const isFirst = this.find(blocks, block.type, block.id) < 0;
    blocks.push(block);
    if (isFirst) this.#note(block, this.#length);
    this.#length += 1;
    return isFirst;
  }

  #build(blocks: readonly Named[]): void {
    this.#kinds = new Map();
    this.#length = blocks.length;
    this.#last = -1;
    blocks.forEach((block, at) => {
      if (!this.#kinds.get(block.type)?.has(block.id)) this.#note(block, at);
    });
  }

  #note(block: Named, at: number): void {
    let positions = this.#kinds.get(block.type);
    if (positions === undefined) {
      positions = new Map();
      this.#kinds.set(block.type, positions);
    }
    positions.set(block.id, at);
  }
}

const indexes = new WeakMap<readonly object[], BlockIndex>();

/** What finds blocks in a list: an index is made when it is long and has none. */
export function finderOf(blocks: readonly object[]): Finder {
  if (blocks.length <= SHORT) return SEARCH;
  let found = indexes.get(blocks);
  if (found === undefined) {
    found = new BlockIndex();
    indexes.set(blocks, found);
  }
  return found;
}

/** A copy of a list of blocks takes its index over; the old list gets another when it needs one. */
export function handOver(from: readonly object[], to: readonly object[]): void {
  const index = from.length > SHORT ? indexes.get(from) : undefined;
  if (index === undefined) return;
  indexes.delete(from);
  indexes.set(to, index);
}
