/**
 * What an agent prints and reports in a turn: shown to whoever watches, and written to the transcript. Every driver
 * passes its agent's output through here.
 */
import type { TurnObserver } from "../driver.ts";
import { OutputMonitor } from "./output-monitor.ts";
import { TurnRecorder } from "./turn-recorder.ts";

export class TurnOutput {
  readonly monitor: OutputMonitor;
  readonly recorder: TurnRecorder;

  /** The environment is what the agent gets: its secrets are masked in the transcript. */
  constructor(observer: TurnObserver | undefined, environment: Readonly<Record<string, string>>) {
    this.monitor = new OutputMonitor(observer);
    this.recorder = new TurnRecorder(observer, environment);
  }

  hear(stream: "stdout" | "stderr", output: Uint8Array | string): void {
    this.monitor.hear(stream, output);
    this.recorder.hear(stream, output);
  }

  /** Call this when no more output will come. */
  end(): void {
    this.monitor.end();
    this.recorder.end();
  }

  /** The newest meaningful line. */
  get lastLine(): string {
    return this.monitor.lastLine;
  }

  /** What the agent last said about its own failure. */
  get lastComplaint(): string {
    return this.monitor.lastComplaint;
  }
}
