/** The last bytes of an output of any length, as text that begins with a whole character. */
import { concatBytes } from "../std/bytes.ts";
import { decodeUtf8 } from "../std/utf8.ts";

export class OutputTail {
  private bytes = new Uint8Array();
  private isCut = false;

  constructor(private readonly bytesMax: number) {}

  take(more: Uint8Array): void {
    const kept = more.length >= this.bytesMax ? more.slice(-this.bytesMax) : concatBytes([this.bytes, more]);
    this.isCut ||= this.bytes.length + more.length > this.bytesMax;
    this.bytes = new Uint8Array(kept.slice(-this.bytesMax));
  }

  text(): string {
    return decodeUtf8(this.isCut ? this.bytes.subarray(this.firstWhole()) : this.bytes);
  }

  /** Skips the rest of a character whose beginning was cut off: at most three bytes 10xxxxxx. */
  private firstWhole(): number {
    const at = this.bytes.subarray(0, 4).findIndex((byte) => (byte & 0xc0) !== 0x80);
    return at === -1 ? 0 : at;
  }
}
