import { apr } from './apr.js';
import { CmAttribute } from '../headers/cm-attributes.js';
import { drep } from './drep.js';
import { dreq } from './dreq.js';
import { lap } from './lap.js';
import { mra } from './mra.js';
import { rej } from './rej.js';
import { rep } from './rep.js';
import { req } from './req.js';
import { rtu } from './rtu.js';
import { sidrRep } from './sidr-rep.js';
import { sidrReq } from './sidr-req.js';

export { CmAttribute, cmMessageName, mtuBytes, rejectReasonText } from '../headers/cm-attributes.js';
export { CM_LENGTH, isIpCmService, serviceIdText } from './common.js';
export { ipCm, IP_CM_LENGTH } from './ip-cm.js';
export { apr, drep, dreq, lap, mra, rej, rep, req, rtu, sidrRep, sidrReq };

const MESSAGES = {
  [CmAttribute.REQ]: req,
  [CmAttribute.MRA]: mra,
  [CmAttribute.REJ]: rej,
  [CmAttribute.REP]: rep,
  [CmAttribute.RTU]: rtu,
  [CmAttribute.DREQ]: dreq,
  [CmAttribute.DREP]: drep,
  [CmAttribute.SIDR_REQ]: sidrReq,
  [CmAttribute.SIDR_REP]: sidrRep,
  [CmAttribute.LAP]: lap,
  [CmAttribute.APR]: apr,
} as const;

export type CmMessageHeader = (typeof MESSAGES)[keyof typeof MESSAGES];

/** The table of the CM message with this attribute ID. */
export function cmMessage(attribute: number): CmMessageHeader | undefined {
  return (MESSAGES as Record<number, CmMessageHeader>)[attribute];
}
