/** The two frames by which Ethernet stops a sender: IEEE 802.3 annex 31B (PAUSE) and 802.1Qbb (PFC). */
const MAC_CONTROL = [0x88, 0x08];
/** The group address of MAC control frames, and the source station. */
const ADDRESSES = [0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00, 0x01];
/** The longest pause: 65,535 times the time of 512 bits. */
const LONGEST = [0xff, 0xff];
const PRIORITIES = 8;

/** Stops everything on the link. Without the padding to the shortest frame. */
export const pauseFrame = (): Uint8Array =>
  Uint8Array.of(...ADDRESSES, ...MAC_CONTROL, 0x00, 0x01, ...LONGEST);

/** Stops one priority of eight. */
export const pfcFrame = (priority: number): Uint8Array =>
  Uint8Array.of(
    ...ADDRESSES,
    ...MAC_CONTROL,
    0x01,
    0x01,
    0x00,
    1 << priority,
    ...Array.from({ length: PRIORITIES }, (_, i) => (i === priority ? LONGEST : [0, 0])).flat(),
  );
