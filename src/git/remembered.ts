/**
 * The last few answers to questions whose answer never changes, such as what a tree holds. Promises are kept, so that
 * several who ask at once are answered by one process; a failure is no answer.
 */
export class Remembered<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();

  constructor(private readonly max: number) {}

  find(question: string): Promise<Answer> | undefined {
    return this.#answers.get(question);
  }

  keep(question: string, answer: Promise<Answer>): Promise<Answer> {
    this.#answers.delete(question);
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= this.max) this.#answers.delete(oldest);
    this.#answers.set(question, answer);
    answer.catch(() => this.#answers.delete(question));
    return answer;
  }
}
