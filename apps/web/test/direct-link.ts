import type { FromStream, Link, ToStream } from '../src/connection/link';
import { StreamEnd } from '../src/connection/stream-end';

/** Both ends of a link in one thread. */
export class DirectLink implements Link {
  #hear: (m: FromStream) => void = () => undefined;
  readonly #end = new StreamEnd((m) => this.#hear(m));

  listen(hear: (m: FromStream) => void): void {
    this.#hear = hear;
  }
  post(m: ToStream): void {
    this.#end.take(m);
  }
  end(): void {
    this.#end.take({ type: 'close' });
  }
}
