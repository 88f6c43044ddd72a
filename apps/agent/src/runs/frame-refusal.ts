import { checkFrame, decodeHeader } from '@verbslab/protocol';

/**
 * Returns why this endpoint may not send a frame; null if it may. `sources` has the endpoint of each source of the run.
 */
export function frameRefusal(
  frame: Uint8Array,
  endpoint: string,
  sources: ReadonlyMap<number, string>,
): string | null {
  try {
    const { source } = decodeHeader(frame);
    if (sources.get(source) !== endpoint) return `a frame of source ${source}, which is not its own`;
    checkFrame(frame);
    return null;
  } catch (error) {
    return `a frame that cannot be read (${(error as Error).message})`;
  }
}
