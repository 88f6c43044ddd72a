/** What a check says of the machine. */
export interface Finding {
  /** Which check says so, e.g. `gid`. */
  check: string;
  /** `problem` stops RDMA from working; `note` is worth knowing; `ok` is as it should be. */
  level: 'ok' | 'note' | 'problem';
  /** One sentence: what was found. */
  text: string;
  /** Why it matters. */
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
