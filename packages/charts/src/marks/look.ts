/** The look of a line and of its name. Lines differ in dash too, so that color is not the only sign. */
export interface LineLook {
  name: string;
  /** CSS colors of the line and of its name. */
  line: string;
  ink: string;
  dash: string | undefined;
}

/** A rim in the background color keeps words readable where a line passes. */
export const RIM = { stroke: 'var(--panel)', strokeWidth: 4, paintOrder: 'stroke' } as const;
