/** Result of a check of the machine. */
export interface Finding {
  /** Name of the check, e.g. `gid`. */
  check: string;
  /** `problem` stops RDMA from working; `note` is worth knowing; `ok` needs no action. */
  level: 'ok' | 'note' | 'problem';
  /** A sentence that says what was found. */
  text: string;
  /** Why the finding matters. */
  why?: string;
  /** Commands or steps that fix it, in order. */
  cure?: readonly string[];
}

const at =
  (level: Finding['level']) =>
  (check: string, text: string, more: Pick<Finding, 'why' | 'cure'> = {}): Finding => ({
    check,
    level,
    text,
    ...more,
  });

export const ok = at('ok');
export const note = at('note');
export const problem = at('problem');
