/** Id of the work request's row in its panel: the target of links. */
export function workRowId(qpn: number, wrId: number | string): string {
  return `wr-${qpn}-${wrId}`;
}
