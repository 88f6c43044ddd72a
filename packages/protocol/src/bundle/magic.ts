/** First bytes of a bundle. Like in PNG, a transfer that changes text corrupts them. */
export const BUNDLE_MAGIC: readonly number[] = [0x89, 0x56, 0x4c, 0x52, 0x55, 0x4e, 0x0d, 0x0a];
