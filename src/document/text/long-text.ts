/**
 * A text that may be long and is edited often. It is kept in blocks; an edit rebuilds only one of them.
 *
 * The engine gives every string and buffer larger than a few hundred kilobytes its own memory, fresh from the kernel.
 * Assembling a text of a megabyte took as long as writing it to disk, and each step in a long list did so twice.
 */
import type { Splice } from "../../plan/edit/splice.ts";
import { cutAt } from "../../std/cut.ts";
import type { Sliceable } from "../../std/sliceable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";

/** In UTF-16 units. */
const blockLength = 32 * 1024;

export class LongText implements Sliceable {
  readonly length: number;
  #whole: string | undefined;

  private constructor(private readonly blocks: readonly Block[]) {
    const last = blocks.at(-1);
    this.length = last ? last.start + last.text.length : 0;
  }

  static of(text: string): LongText {
    const laid = new LongText(layBlocks([text]));
    laid.#whole = text;
    return laid;
  }

  /** The whole text as one string, for callers that need all of it. */
  get whole(): string {
    this.#whole ??= this.blocks.map(({ text }) => text).join("");
    return this.#whole;
  }

  /** The whole text in UTF-8, block by block. */
  get encoded(): readonly Uint8Array[] {
    return this.blocks.map((block) => block.bytes);
  }

  slice(start: number, end: number = this.length): string {
    let found = "";
    for (let at = this.#blockAt(start); at < this.blocks.length; at += 1) {
      const block = this.blocks[at];
      if (!block || block.start >= end) break;
      found += block.text.slice(Math.max(0, start - block.start), end - block.start);
    }
    return found;
  }

  /** Splices must not overlap. */
  spliced(splices: readonly Splice[]): LongText {
    const parts: (Block | string)[] = [];
    let from = 0;
    for (const { start, end, text } of splices.toSorted((one, other) => one.start - other.start)) {
      parts.push(...this.#between(from, start), text);
      from = end;
    }
    parts.push(...this.#between(from, this.length));
    return new LongText(layBlocks(parts));
  }

  /** Whole blocks where possible, and the needed parts of others. */
  #between(start: number, end: number): (Block | string)[] {
    const parts: (Block | string)[] = [];
    for (let at = this.#blockAt(start); at < this.blocks.length; at += 1) {
      const block = this.blocks[at];
      if (!block || block.start >= end) break;
      const isWhole = block.start >= start && block.start + block.text.length <= end;
      parts.push(isWhole ? block : block.text.slice(Math.max(0, start - block.start), end - block.start));
    }
    return parts;
  }

  /** The block that contains an offset. */
  #blockAt(offset: number): number {
    let low = 0;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.blocks[middle]?.start ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

class Block {
  #bytes: Uint8Array | undefined;

  constructor(
    readonly start: number,
    readonly text: string,
  ) {}

  get bytes(): Uint8Array {
    this.#bytes ??= encodeUtf8(this.text);
    return this.#bytes;
  }

  movedTo(start: number): Block {
    if (start === this.start) return this;
    const moved = new Block(start, this.text);
    moved.#bytes = this.#bytes;
    return moved;
  }
}

/** Keeps blocks as they are. Texts between them become blocks, neither too long nor so short that blocks multiply. */
function layBlocks(parts: readonly (Block | string)[]): Block[] {
  const blocks: Block[] = [];
  let open = "";
  const lay = (block: Block) => {
    const last = blocks.at(-1);
    blocks.push(block.movedTo(last ? last.start + last.text.length : 0));
  };
  const close = () => {
    for (const text of cut(open)) lay(new Block(0, text));
    open = "";
  };
  for (const part of parts) {
    const text = typeof part === "string" ? part : part.text;
    if (text === "") continue;
    const last = open === "" ? blocks.at(-1) : undefined;
    if (last && (isHalved(last.text, text) || (typeof part === "string" && isShort(last.text))))
      open = blocks.pop()?.text ?? "";
    const goesOn = open !== "" && (isShort(open) || isHalved(open, text));
    if (typeof part === "string" || goesOn) {
      open += text;
      continue;
    }
    close();
    lay(part);
  }
  close();
  return blocks;
}

function isShort(text: string): boolean {
  return text.length < blockLength / 2;
}

function* cut(text: string): Generator<string> {
  let rest = text;
  while (rest.length > 2 * blockLength) {
    const { kept } = cutAt(rest, blockLength);
    yield kept;
    rest = rest.slice(kept.length);
  }
  if (rest !== "") yield rest;
}

/** Whether one text ends with half a character and the next starts with the rest: only together can they be encoded. */
function isHalved(before: string, after: string): boolean {
  return /[\ud800-\udbff][\udc00-\udfff]/.test(before.slice(-1) + after.slice(0, 1));
}
