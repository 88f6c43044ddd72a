import type { Answered, Answers, Asked, Question } from './messages';

interface Waiting {
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/** Asks the language service, which runs in a worker: types of a program take longer than a frame. */
export class LanguageClient {
  #worker: Worker | null = null;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Rejects where the worker cannot be loaded. */
  ask<Q extends Question>(question: Q, text: string, at = 0, name?: string): Promise<Answers[Q]> {
    const id = ++this.#last;
    const asked: Asked = { id, question, text, at, ...(name === undefined ? {} : { name }) };
    return new Promise<Answers[Q]>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#started().postMessage(asked);
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#fail('closed');
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./service.worker.ts', import.meta.url), { name: 'language' });
    worker.onmessage = ({ data }: MessageEvent<Answered>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.ok) waiting?.resolve(data.answer as never);
      else waiting?.reject(new Error(data.message));
    };
    worker.onerror = () => {
      this.#worker = null;
      this.#fail('The language service could not be loaded.');
    };
    return (this.#worker = worker);
  }

  #fail(message: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}
