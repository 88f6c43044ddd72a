/** A QPN as Wireshark and perftest print it: `0x000011`, 24 bits. */
export const qpnText = (qpn: number): string => `0x${qpn.toString(16).padStart(6, '0')}`;
