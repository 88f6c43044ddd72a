/**
 * An entry of the table of error codes. `http` is the status of an HTTP answer. `usage` marks an invalid request of a
 * person (exit code 2 of the command; all others 1). `message` says what is wrong, `cure` what to do. `{name}` is
 * filled in from the error's parameters.
 */
export interface ErrorEntry {
  readonly http: number;
  readonly usage?: boolean;
  readonly message: string;
  readonly cure: string;
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;
