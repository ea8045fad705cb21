/**
 * What a handler works on: the Msg, who owns its parts, and where reports go.
 *
 * A handler first looks at everything that can be wrong and then changes the Msg (`fold.atomic`).
 * It finds a block by its position and asks for it again before it writes to it
 * ({@link FoldState.change}), because in a pure fold that is another object.
 *
 * @module
 */

import { profile } from "../contract.js";
import { type DiagnosticCode, type OnDiagnostic, RoleViolationError } from "../errors.js";
import type { ContentBlock, Msg } from "../types.js";
import { finderOf } from "./block-index.js";
import { IN_PLACE, type Ownership } from "./ownership.js";

/** What all replies of one stream share. */
export interface Context {
  /** The AgentScope release that is folded as. */
  readonly revision: string;
  readonly onDiagnostic: OnDiagnostic;
  /** Whether an event in error is reported and left out (`fold.unknown-enum`). */
  readonly lenient: boolean;
  /** What is reported once a stream and was (`fold.revision.newer-member`). */
  told?: Set<string>;
  /** The line of the event being applied, where it is known. */
  line: number | undefined;
}

/** A block of a certain kind. */
export type Block<Kind extends string> = Extract<ContentBlock, { type: Kind }>;

/** Any kind of block. */
export type Kind = ContentBlock["type"];

/** One Msg being folded into. */
export class FoldState {
  /** Position in the stream of the event being applied, counted from 0. */
  eventIndex: number | undefined = undefined;
  /** When the blocks that the event makes began, if the revision says (`fold.block.created-at`). */
  began: string | undefined = undefined;
  /** When they ended, if they come whole. */
  ended: string | undefined = undefined;

  constructor(
    public msg: Msg,
    readonly context: Context,
    public ownership: Ownership = IN_PLACE,
  ) {}

  /** The Msg, to be written to. */
  get writable(): Msg {
    this.msg = this.ownership.own(this.msg);
    return this.msg;
  }

  /** Its blocks, to be written to. */
  get blocks(): ContentBlock[] {
    const msg = this.writable;
    msg.content = this.ownership.own(msg.content);
    return msg.content;
  }

  /** Where the first block of that kind with that id is, -1: nowhere (`fold.find`). */
  find(kind: Kind, id: string): number {
    const { content } = this.msg;
    return finderOf(content).find(content, kind, id);
  }

  /** As {@link find}; nothing found is reported as `block_not_found`. */
  findOrReport(kind: Kind, id: string, rule: string): number {
    const { content } = this.msg;
    const at = finderOf(content).findSurely(content, kind, id);
    if (at < 0) {
      const said = `no ${kind} block ${JSON.stringify(id)}; the event is skipped`;
      this.report("block_not_found", said, rule, { details: { kind, block_id: id } });
    }
    return at;
  }

  /** The block at a position, to be looked at. */
  at<K extends Kind>(position: number): Block<K> {
    return this.msg.content[position] as Block<K>;
  }

  /** The block at a position, to be written to. */
  change<K extends Kind>(position: number): Block<K> {
    const { blocks } = this;
    const block = this.ownership.own(blocks[position] as Block<K>);
    blocks[position] = block;
    return block;
  }

  /**
   * Refuse a kind of block that the Msg's role may not carry (`fold.role`).
   *
   * @throws {RoleViolationError} It may not.
   */
  checkRole(kind: Kind): void {
    const { role } = this.msg;
    if (role === "assistant") return;
    const allowed = profile().definition("Msg").roles?.[role] ?? [];
    if (allowed.includes(kind)) return;
    throw new RoleViolationError(`a ${role} message may not carry a ${kind} block`, {
      expected: `an event about ${[...allowed].sort().join(" or ")} blocks`,
      got: kind,
      hint: "Only an assistant message carries every kind of block",
      rule: "fold.role",
    });
  }

  /** Append a block whose role was checked; report a second one of its kind and id. */
  add(block: ContentBlock): void {
    const { blocks } = this;
    if (!finderOf(blocks).add(blocks, this.made(block))) {
      const said = `a second ${block.type} block ${JSON.stringify(block.id)}`;
      this.report(
        "duplicate_block",
        `${said}; later events go to the first`,
        "fold.duplicate-block",
        {
          details: { kind: block.type, block_id: block.id },
        },
      );
    }
  }

  /**
   * A block that the event makes, with its times, and those inside it. It gets them before it goes
   * into a list, because there are lists that keep copies, as MobX's do.
   */
  made<B extends ContentBlock>(block: B): B {
    const { began, ended } = this;
    if (began !== undefined) {
      block.created_at ??= began;
      for (const nested of insideOf(block)) nested.created_at ??= began;
    }
    if (ended !== undefined) block.finished_at ??= ended;
    return block;
  }

  /** Hand on a diagnostic about the event being applied. */
  report(
    code: DiagnosticCode,
    message: string,
    rule: string,
    about: { pointer?: string; details?: Record<string, unknown> } = {},
  ): void {
    const { line, onDiagnostic } = this.context;
    const place = { line, eventIndex: this.eventIndex, pointer: about.pointer };
    const { details = {} } = about;
    onDiagnostic({ code, message, rule, place, replyId: this.msg.id, details });
  }
}

/** The blocks inside a hint or a result. */
function insideOf(block: ContentBlock): readonly ContentBlock[] {
  const inside = block.type === "hint" ? block.hint : block.type === "tool_result" && block.output;
  return typeof inside === "object" ? inside : [];
}

/** An event that is well-formed, read by its handler. */
// biome-ignore lint/suspicious/noExplicitAny: a handler is called with its own type only (table.ts)
export type Event = any;

/** Applies one event. */
export type Handler = (state: FoldState, event: Event) => void;

/** The event's time, the empty string when it came without one (`fold.missing-stamp`). */
export function stamp(event: { created_at?: string }): string {
  return event.created_at ?? "";
}
