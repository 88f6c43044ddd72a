/** A row of feature groups: each begins with {epoch u32, group u32}, least significant byte first. Pure functions. */
import type { FeatureStoreParams } from './params.js';

type Shape = Pick<FeatureStoreParams, 'groups' | 'groupBytes' | 'epochs'>;

const HEADER = 8;
/** The watermark is a word of its own in front of the rows. */
export const WATERMARK_BYTES = 8;

export const rowBytes = ({ groups, groupBytes }: Shape): number => groups * groupBytes;
/** Epochs count from 1. */
export const rowPlace = (shape: Shape, epoch: number): number =>
  WATERMARK_BYTES + (epoch - 1) * rowBytes(shape);
export const storeBytes = (shape: Shape): number => rowPlace(shape, shape.epochs + 1);

const valueOf = (epoch: number, group: number, i: number): number => (epoch * 37 + group * 11 + i) & 0xff;

export function encodeRow(shape: Shape, epoch: number): Uint8Array {
  const { groups, groupBytes } = shape;
  const bytes = new Uint8Array(rowBytes(shape));
  const view = new DataView(bytes.buffer);
  for (let group = 0; group < groups; group++) {
    const place = group * groupBytes;
    for (let i = HEADER; i < groupBytes; i++) bytes[place + i] = valueOf(epoch, group, i);
    view.setUint32(place, epoch, true);
    view.setUint32(place + 4, group, true);
  }
  return bytes;
}

/** `complete`: every byte is of this epoch. `missing`: no group of it. `torn`: a part. */
export type State = 'complete' | 'torn' | 'missing';

/** Groups with every byte there. */
function groupsOf({ groups, groupBytes }: Shape, epoch: number, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let whole = 0;
  for (let group = 0; group < groups; group++) {
    const place = group * groupBytes;
    let right = view.getUint32(place, true) === epoch && view.getUint32(place + 4, true) === group;
    for (let i = HEADER; right && i < groupBytes; i++) right = bytes[place + i] === valueOf(epoch, group, i);
    if (right) whole++;
  }
  return whole;
}

export function stateOf(shape: Shape, epoch: number, bytes: Uint8Array): State {
  const whole = groupsOf(shape, epoch, bytes);
  if (whole === shape.groups) return 'complete';
  return bytes.some((byte) => byte !== 0) ? 'torn' : 'missing';
}

/** Bytes from the start that are those of the row. */
export function placedBytes(shape: Shape, epoch: number, bytes: Uint8Array): number {
  const row = encodeRow(shape, epoch);
  const end = row.findIndex((byte, i) => byte !== bytes[i]);
  return end < 0 ? row.length : end;
}
