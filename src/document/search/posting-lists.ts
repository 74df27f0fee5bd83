/**
 * Append-only lists of small numbers, very many and mostly very short, in shared pages of memory.
 *
 * A list is a chain of blocks, each twice as long as the one before, up to a limit. A list of one number takes eight
 * bytes, and a long one little more than four per number. A separate array took 190 bytes for one number.
 */
import { assert } from "../../std/assert.ts";

export class PostingLists {
  readonly #pages: Uint32Array[] = [];
  /** How much of the last page is in use. */
  #taken = pageLength;
  #count = 0;
  #values = new Uint32Array(0);

  /** How many numbers are in all lists together. */
  get count(): number {
    return this.#count;
  }

  begin(): PostingList {
    return { head: -1, last: -1, count: 0 };
  }

  /** The last number; -1 if the list is empty. */
  lastOf({ last }: PostingList): number {
    return last === -1 ? -1 : this.#at(last);
  }

  /** Replaces the last number. */
  changeLast({ last }: PostingList, value: number): void {
    assert(last !== -1, "a list that has an end is changed at its end");
    this.#put(last, value);
  }

  add(list: PostingList, value: number): void {
    const { used, size } = placeBehind(list.count);
    if (used > 0) list.last += 1;
    else {
      const block = this.#take(size + 1);
      if (list.head === -1) list.head = block;
      // A block starts with the position of the next one.
      else this.#put(list.last - sizeOfLast(list.count), block);
      list.last = block + 1;
    }
    this.#put(list.last, value);
    list.count += 1;
    this.#count += 1;
  }

  /** The whole list, in order; valid until another list is read. */
  read({ head, count }: PostingList): Uint32Array {
    if (this.#values.length < count) this.#values = new Uint32Array(2 * count);
    const values = this.#values;
    let block = head;
    for (let done = 0, size = 1; done < count; size = Math.min(2 * size, sizeMax)) {
      const page = this.#pages[block >>> pageBits];
      if (!page) break;
      const first = (block & pageMask) + 1;
      const end = Math.min(size, count - done);
      for (let at = 0; at < end; at += 1) values[done + at] = page[first + at] ?? 0;
      done += size;
      block = page[first - 1] ?? 0;
    }
    return values.subarray(0, count);
  }

  /** Blocks do not cross page boundaries. */
  #take(length: number): number {
    if (this.#taken + length > pageLength) {
      this.#pages.push(new Uint32Array(pageLength));
      this.#taken = 0;
    }
    const at = ((this.#pages.length - 1) << pageBits) + this.#taken;
    this.#taken += length;
    return at;
  }

  #at(place: number): number {
    return this.#pages[place >>> pageBits]?.[place & pageMask] ?? 0;
  }

  #put(place: number, value: number): void {
    const page = this.#pages[place >>> pageBits];
    if (page) page[place & pageMask] = value;
  }
}

export interface PostingList {
  /** The position of its first block, and of its last number; -1 if the list is empty. */
  head: number;
  last: number;
  count: number;
}

const pageBits = 16;
const pageLength = 1 << pageBits;
const pageMask = pageLength - 1;
const sizeMax = 64;
/** How many numbers fit into the blocks before those of full length: 1 + 2 + … + 32. */
const inGrowing = sizeMax - 1;

/** Where the next number goes in a list of this length: how much of its block is used, and how long the block is. */
function placeBehind(count: number): { readonly used: number; readonly size: number } {
  if (count >= inGrowing) return { used: (count - inGrowing) % sizeMax, size: sizeMax };
  const size = 1 << (31 - Math.clz32(count + 1));
  return { used: count + 1 - size, size };
}

function sizeOfLast(count: number): number {
  return placeBehind(count - 1).size;
}
