/** A QPN in the format of Wireshark and perftest: `0x000011`, 24 bits. */
export const qpnText = (qpn: number): string => `0x${qpn.toString(16).padStart(6, '0')}`;
