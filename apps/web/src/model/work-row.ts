/** Where the panel of work requests has the row of this one: the target of links. */
export function workRowId(qpn: number, wrId: number | string): string {
  return `wr-${qpn}-${wrId}`;
}
