/**
 * A small cache for answers that never change, such as what a tree holds. It keeps promises, so several callers at once
 * share one process. A failure is not cached.
 */
export class RememberedAnswers<Answer> {
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
